import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isOwnedConnection, toEndpoint } from "@parlance/coordinator";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
// Internal: the tree alone is not part of the public surface.
import { descendantsOf, groupByParent, scanProcesses } from "../../dist/ownership/process-tree.js";
import { findPeerInodes } from "../../dist/ownership/socket-table.js";
import { loadCases } from "../support/cases.ts";

interface Input {
  readonly files: { readonly [path: string]: string };
  readonly symlinks: { readonly [path: string]: string };
  readonly root_pid: number;
  readonly peer: [string, number];
  readonly local: [string, number];
}

interface Expected {
  readonly descendants: number[] | "NoSuchProcess";
  readonly owned: boolean;
}

const folder = temporaryFolder("parlance-proc");

function makeProc(files: Input["files"], symlinks: Input["symlinks"]): string {
  const root = mkdtempSync(join(folder, "proc-"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  for (const [path, target] of Object.entries(symlinks)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    symlinkSync(target, join(root, path));
  }
  return root;
}

function isOwned(input: Input, procRoot: string, startTime?: number): Promise<boolean> {
  const [peer, local] = [toEndpoint(input.peer), toEndpoint(input.local)];
  if (peer === null || local === null) throw new Error("bad case");
  return isOwnedConnection({ pid: input.root_pid, startTime }, { peer, local }, { procRoot });
}

const cases = loadCases<Input, Expected>("PFS-");

test("all nine cases are there", () => assert.is(cases.length, 9));

for (const { id, title, input, expected } of cases) {
  test(`${id} ${title}`, async () => {
    const procRoot = makeProc(input.files, input.symlinks);
    assert.is(await isOwned(input, procRoot), expected.owned);
    const processes = await scanProcesses(procRoot);
    const found = descendantsOf(input.root_pid, groupByParent(processes)).sort((a, b) => a - b);
    if (expected.descendants === "NoSuchProcess") {
      assert.is(
        processes.some(({ pid }) => pid === input.root_pid),
        false,
      );
    } else {
      assert.equal(found, expected.descendants);
    }
  });
}

const [grandchild] = cases;
if (grandchild === undefined) throw new Error("PFS-01 is missing");

test("the number alone is not the process: another start time is not owned", async () => {
  const procRoot = makeProc(grandchild.input.files, grandchild.input.symlinks);
  assert.is(await isOwned(grandchild.input, procRoot, 1100), true);
  assert.is(await isOwned(grandchild.input, procRoot, 1099), false);
});

test("children files are followed thread by thread, without a scan", async () => {
  const files = { ...grandchild.input.files };
  const lone = "(x) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 0 0 1 0 1101 0\n"; // no parent to scan by
  files["101/stat"] = `101 ${lone}`;
  files["102/stat"] = `102 ${lone}`;
  for (const [path, text] of [
    ["100/task/100", ""],
    ["100/task/105", "101 "],
    ["101/task/101", "102 103 "],
    ["102/task/102", ""],
    ["103/task/103", ""],
  ] as const) {
    files[`${path}/children`] = text;
  }
  assert.is(await isOwned(grandchild.input, makeProc(files, grandchild.input.symlinks)), true);
});

test("a child that the children files miss is found by the scan", async () => {
  const files = { ...grandchild.input.files, "100/task/100/children": "" };
  assert.is(await isOwned(grandchild.input, makeProc(files, grandchild.input.symlinks)), true);
});

test("a zombie root owns nothing", async () => {
  const files = { ...grandchild.input.files };
  files["100/stat"] = (files["100/stat"] ?? "").replace("(x) S", "(x) Z");
  assert.is(await isOwned(grandchild.input, makeProc(files, grandchild.input.symlinks)), false);
});

test("a command name with brackets, blanks and a line end does not mislead", async () => {
  const files = { ...grandchild.input.files };
  for (const pid of [101, 102]) {
    files[`${pid}/stat`] = (files[`${pid}/stat`] ?? "").replace("(x)", "(a) S 1 (\n b)");
  }
  assert.is(await isOwned(grandchild.input, makeProc(files, grandchild.input.symlinks)), true);
});

test("an unreadable table or a missing folder is an answer, not an error", async () => {
  assert.is(await isOwned(grandchild.input, "/nonexistent"), false);
  const files = { "100/stat": grandchild.input.files["100/stat"] ?? "" };
  assert.is(await isOwned(grandchild.input, makeProc(files, grandchild.input.symlinks)), false);
});

test("a long table: every row is found, wherever the reads cut it", async () => {
  const row = (port: number, inode: number): string =>
    `${String(port).padStart(6)}: 0100007F:${port.toString(16).toUpperCase().padStart(4, "0")} 0100007F:1389 ` +
    `01 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 ${"0".repeat(port % 40)}\n`;
  const ports = Array.from({ length: 2_000 }, (_, index) => 20_000 + index);
  const rows = ports.map((port) => row(port, port + 100_000));
  const procRoot = makeProc({ "net/tcp": ["  sl  local_address …\n", ...rows].join("") }, {});
  const local = { address: "127.0.0.1", port: 5001 };
  const connections = [...ports, 19_999].map((port) => ({
    peer: { address: "127.0.0.1", port },
    local,
  }));
  const found = await findPeerInodes([`${procRoot}/net/tcp`, "/nonexistent"], connections);
  assert.equal(found, [...ports.map((port) => port + 100_000), undefined]);
});

test.run();
