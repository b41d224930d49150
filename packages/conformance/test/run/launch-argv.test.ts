import type { ConformanceCase } from "@parlance/conformance";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { launchArgv } from "../../dist/run/launch-argv.js";

const plain = { launch: {}, link: {} } as ConformanceCase;
const argv = ["./my-runtime", "serve"];
const planOf = (changes: Partial<ConformanceCase>): unknown => {
  const [node, launcher, plan = "", ...rest] = launchArgv(argv, { ...plain, ...changes }, "/pid");
  assert.is(node, process.execPath);
  assert.match(launcher ?? "", /launch-runtime\.js$/);
  assert.equal(rest, argv);
  return JSON.parse(plan);
};
const PLAIN = { address: "ipv4", isLogsFirst: false, isTwoWords: false };

test("mostly the command is the runtime's own", () => {
  assert.equal(launchArgv(argv, plain, "/pid"), argv);
  const signal = { name: "SIGTERM", afterLog: "x" } as const;
  assert.equal(launchArgv(argv, { ...plain, signal }, "/pid"), argv);
});

test("other addresses, arguments and signals go through a program of the kit", () => {
  assert.equal(planOf({ launch: { address: "ipv6" } }), { ...PLAIN, address: "ipv6" });
  assert.equal(planOf({ launch: { order: "logs-first" } }), { ...PLAIN, isLogsFirst: true });
  assert.equal(planOf({ launch: { form: "two-words" } }), { ...PLAIN, isTwoWords: true });
  assert.equal(planOf({ link: { cutLogsAfterBytes: 9 } }), { ...PLAIN, cutLogsAfterBytes: 9 });
  const twice = { name: "SIGTERM", afterLog: "x", times: 2 } as const;
  assert.equal(planOf({ signal: twice }), { ...PLAIN, pidFile: "/pid" });
  const interrupt = { name: "SIGINT", afterLog: "x" } as const;
  assert.equal(planOf({ signal: interrupt }), { ...PLAIN, pidFile: "/pid" });
});

test.run();
