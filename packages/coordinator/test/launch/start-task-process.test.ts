import { delimiter, dirname } from "node:path";
import { buildChildEnvironment, StartError, startTaskProcess } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Case, loadCases } from "../support/cases.ts";
import { eventually, outcomeOf, processesWith, writeFiles } from "../support/launching.ts";

interface Input {
  readonly files: { readonly [path: string]: string };
  readonly modes?: { readonly [path: string]: string };
  readonly command: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly start_timeout_s: number;
}

interface Expected {
  readonly outcome: string;
  readonly exit_code?: number;
  readonly errno?: string;
}

const CODES: { readonly [outcome: string]: string } = {
  "launched process ended before both channels were there": "exited-before-connect",
  "start time-out": "startup-timeout",
  "could not be started": "spawn-failed",
};

/** What the `must` line asks beyond the outcome: words of the error. */
const WORDS: { readonly [id: string]: RegExp } = {
  "OWN-04": /exit code 0\).*must stay until the worker .* has ended/,
  "PRC-01": /logs not connected/,
  "PRC-04": /signal SIGKILL \(-9\)/,
  "PRC-05": /exit code 127.*stderr: cannot load libfoo$/,
  "PRC-06": /CR LF line ends.*"\/bin\/sh\\r"/,
  "PRC-07": /no execute bit/,
};

// The runtimes are started by the name "node", so that the folder of this Node comes first.
const PATH = [dirname(process.execPath), process.env["PATH"]].join(delimiter);

async function run({ id, input, expected }: Case<Input, Expected>): Promise<void> {
  const cwd = writeFiles(input.files, input.modes);
  const mark = `PARLANCE_TEST_${process.pid}_${id}`;
  const outcome = await outcomeOf(
    startTaskProcess({
      argv: input.command,
      env: { ...buildChildEnvironment(), ...input.env, PATH, T_MARK: mark },
      cwd,
      startupTimeoutMs: input.start_timeout_s * 1000,
    }),
  );
  if (outcome instanceof StartError) {
    assert.is(outcome.code, CODES[expected.outcome], outcome.message);
    assert.is(outcome.exitCode, expected.exit_code);
    assert.is(outcome.errno, expected.errno);
    assert.match(outcome.message, WORDS[id] ?? /./);
  } else {
    assert.is("both channels accepted", expected.outcome);
    assert.ok(processesWith(mark).length > 0, "the mark is seen while the task runs");
    await outcome.close();
  }
  assert.equal(processesWith(mark), [], "nothing is left");
}

const cases = [...loadCases<Input, Expected>("OWN-"), ...loadCases<Input, Expected>("PRC-")];

test("all eleven cases are there", () => assert.is(cases.length, 11));
for (const one of cases) test(`${one.id} ${one.title}`, () => run(one));

test("the worker that OWN-04 left behind as a daemon is ended too", async () => {
  const mark = `PARLANCE_TEST_${process.pid}_daemon`;
  const cwd = writeFiles({
    "w.sh": "#!/bin/sh\nsetsid sh -c 'echo up; sleep 30' >started 2>&1 </dev/null &\nsleep 0.1\n",
  });
  const error = await outcomeOf(
    startTaskProcess({ argv: ["./w.sh"], env: { PATH, T_MARK: mark }, cwd }),
  );
  assert.instance(error, StartError);
  assert.ok(await eventually(() => processesWith(mark).length === 0));
});

test.run();
