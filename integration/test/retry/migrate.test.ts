import { watch } from "node:fs";
import { chmod, mkdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { changedSources, encodedSources, undecidedSources } from "./support/boolean-sources.ts";
import { type CliRun, parlance } from "./support/parlance.ts";

interface Outcome {
  readonly path: string;
  readonly status: string;
  readonly edits: readonly { line: number; column: number; from: string; to: string }[];
  readonly undecided: readonly { line: number; column: number; text: string; why: string }[];
  readonly error?: { code: string; message: string; line: number | null };
}

// Only its Python is needed: what runs here is the script that reads the files.
const python = requirePeer(test, "booleans in Dag files are migrated", "airflow-3.3.2");
if (python !== undefined) registerTests(python);

function registerTests(interpreter: string): void {
  const migrate = (...args: string[]): Promise<CliRun> => {
    return parlance(["retry", "migrate", "--python", interpreter, ...args]);
  };
  const outcomesOf = async (...args: string[]): Promise<readonly Outcome[]> => {
    const { stdout } = await migrate("--json", ...args);
    return (JSON.parse(stdout.toString()) as { files: Outcome[] }).files;
  };
  const filesOf = (sources: readonly (string | Uint8Array)[]): Promise<readonly string[]> => {
    const folder = temporaryFolder();
    return Promise.all(
      sources.map(async (source, at) => {
        const path = join(folder, `dag_${at}.py`);
        await writeFile(path, source);
        return path;
      }),
    );
  };

  test("each place where a boolean can be given is found", async () => {
    const files = await filesOf(changedSources.map(([before]) => before));
    const run = await migrate("--write", ...files);
    assert.is(run.code, 0, run.stderr);
    for (const [at, [before, after]] of changedSources.entries()) {
      assert.is(await readFile(files[at] as string, "utf8"), after, before);
    }
    const again = await migrate(...files);
    assert.equal([again.code, again.stdout.length], [0, 0]);
  });

  test("what can't be decided is told with its line and why, and left as it is", async () => {
    const files = await filesOf(undecidedSources.map(([source]) => source));
    const outcomes = await outcomesOf(...files);
    for (const [at, [source, line, why]] of undecidedSources.entries()) {
      const outcome = outcomes[at];
      assert.is(outcome?.status, "unchanged", source);
      if (why === undefined) {
        assert.equal(outcome?.undecided, [], source);
        continue;
      }
      assert.is(outcome?.undecided.length, 1, source);
      assert.is(outcome?.undecided[0]?.line, line, source);
      assert.match(outcome?.undecided[0]?.why ?? "", why);
    }
  });

  test("every byte around a boolean stays: encodings, line ends, form feeds, tabs, marks", async () => {
    const files = await filesOf(encodedSources.map(([before]) => before));
    const run = await migrate("--write", ...files);
    assert.is(run.code, 0, run.stderr);
    for (const [at, [before, after]] of encodedSources.entries()) {
      const written = await readFile(files[at] as string);
      assert.is(written.toString("latin1"), after.toString("latin1"), before.toString("latin1"));
    }
  });

  test("columns are those of characters, also behind ones of four bytes", async () => {
    const [path] = await filesOf(['Op(x="ü😀", retry_exponential_backoff=True)\n']);
    const [outcome] = await outcomesOf(path as string);
    assert.equal(outcome?.edits, [
      { line: 1, column: 38, place: "keyword", from: "True", to: "2.0" },
    ]);
  });

  test("without --write: a diff, exit code 1, and nothing written", async () => {
    const source = "a\nb\nc\nd\nOp(retry_exponential_backoff=True)\ne\nf\ng\nh\n";
    const [path, other] = await filesOf([source, "Op(retry_exponential_backoff=False)"]);
    const run = await migrate(path as string, other as string);
    assert.is(run.code, 1);
    assert.is(
      run.stdout.toString(),
      `--- ${path}\n+++ ${path}\n@@ -2,7 +2,7 @@\n b\n c\n d\n` +
        "-Op(retry_exponential_backoff=True)\n+Op(retry_exponential_backoff=2.0)\n e\n f\n g\n" +
        `--- ${other}\n+++ ${other}\n@@ -1,1 +1,1 @@\n-Op(retry_exponential_backoff=False)\n` +
        "\\ No newline at end of file\n+Op(retry_exponential_backoff=0)\n\\ No newline at end of file\n",
    );
    assert.is(await readFile(path as string, "utf8"), source);
  });

  test("a file that can't be parsed is named with its line; the others are done", async () => {
    const deep = `x = ${"-".repeat(200_000)}1\n`;
    const sources = [
      "x = 1\nOp(\n",
      deep,
      "x = '\0'\n",
      Buffer.from("# coding: nope\n"),
      "Op(retry_exponential_backoff=True)\n",
    ];
    const files = await filesOf(sources);
    const run = await migrate("--write", ...files, join(files[0] as string, "..", "missing.py"));
    assert.is(run.code, 65);
    assert.match(run.stderr, `${files[0]}:2: syntax: `);
    assert.match(run.stderr, `${files[1]}: syntax: it is nested too deeply`);
    assert.match(run.stderr, "missing.py: cannot-read: there is no such file");
    assert.match(run.stderr, "1 file changed, 0 to change, 0 unchanged, 5 failed");
    assert.is(await readFile(files[4] as string, "utf8"), "Op(retry_exponential_backoff=2.0)\n");
    const asJson = await migrate("--json", files[0] as string);
    assert.is(asJson.code, 65);
    assert.is(JSON.parse(asJson.stdout.toString()).files[0].error.line, 2);
    assert.is(JSON.parse(asJson.stderr).error.code, "bad-python");
  });

  test("a file of megabytes takes seconds, in lines or in one", async () => {
    const calls = (end: string) => `Op(x="é", retry_exponential_backoff=B)${end}`.repeat(20_000);
    const flags = (end: string) => `Op(x="é", retry_exponential_backoff=True)${end}`.repeat(20_000);
    const files = await filesOf([`B = True\n${calls("\n")}`, `a = [${flags(",")}]\n`]);
    const run = await migrate("--write", ...files);
    assert.is(run.code, 0, run.stderr);
    assert.match(run.stderr, "2 files changed, 0 to change, 0 unchanged, 0 failed; 20001 booleans");
    assert.is(await readFile(files[0] as string, "utf8"), `B = 2.0\n${calls("\n")}`);
  });

  test("mode and link are kept; a file named twice is changed once", async () => {
    const folder = temporaryFolder();
    const target = join(folder, "real", "dag.py");
    await mkdir(join(folder, "real"));
    await writeFile(target, "Op(retry_exponential_backoff=True)\n");
    await chmod(target, 0o750);
    const link = join(folder, "link.py");
    await symlink("real/dag.py", link);
    const run = await migrate("--write", link, target, link);
    assert.is(run.code, 0, run.stderr);
    assert.match(run.stderr, "1 file changed");
    assert.is(await readlink(link), "real/dag.py");
    assert.is(await readFile(target, "utf8"), "Op(retry_exponential_backoff=2.0)\n");
    assert.is((await stat(target)).mode & 0o7777, 0o750);
  });

  test("interrupted, it ends with the file it is at and tells what it has written", async () => {
    const before = "Op(retry_exponential_backoff=True)\n";
    const files = await filesOf(Array.from({ length: 500 }, () => before));
    const args = ["retry", "migrate", "--write", "--python", interpreter, ...files];
    const run = await parlance(args, {}, (child) => {
      const watcher = watch(files[0] as string, () => {
        watcher.close();
        child.kill("SIGINT");
      });
    });
    assert.is(run.code, 130, run.stderr);
    const changed = Number(/^(\d+) files? changed/m.exec(run.stderr)?.[1]);
    assert.ok(changed > 0 && changed < files.length, run.stderr);
    const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
    assert.is(texts.filter((text) => text !== before).length, changed);
  });

  test("Python is looked for on PATH", async () => {
    const [path] = await filesOf(["Op(retry_exponential_backoff=True)\n"]);
    const bin = temporaryFolder();
    await symlink(interpreter, join(bin, "python3"));
    const found = await parlance(["retry", "migrate", path as string], { PATH: bin });
    assert.is(found.code, 1, found.stderr);
  });
}

test.run();
