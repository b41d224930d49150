import { spawn, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { skip, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, PACKAGE, parlance } from "./support/cli.ts";

// The lines by which an executable bundle starts itself, wherever it lies and whatever runs them.

const folder = temporaryFolder();
const entry = join(folder, "tasks.ts");
const sdk = JSON.stringify(join(PACKAGE, "../sdk-node/dist/index.js"));
writeFileSync(
  entry,
  `import { Bundle, serve } from ${sdk};
const { pid, argv, execArgv, title } = process;
console.error(JSON.stringify({ pid, file: argv[1], words: argv.slice(2), execArgv, title }));
serve(new Bundle().task("d", "t", async () => 1));
`,
);
const bundle = join(folder, "tasks");
assert.is((await parlance(["pack", entry, "--out", bundle])).code, 0);

interface Facts {
  readonly pid: number;
  readonly file: string;
  readonly words: readonly string[];
  readonly execArgv: readonly string[];
  readonly title: string;
}

function describe(argv: readonly string[], options: { cwd?: string; env?: object } = {}) {
  const [command = "", ...args] = argv;
  const env = { ...process.env, ...options.env };
  const run = spawnSync(command, [...args, "--describe"], { ...options, env, encoding: "utf8" });
  assert.is(run.status, 0, `${run.stderr}${run.error ?? ""}`);
  assert.match(run.stdout, '"d"');
  return { ...(JSON.parse(run.stderr) as Facts), child: run.pid };
}

const MANIFESTS = {
  module: '{"type":"module"}',
  commonjs: '{"type":"commonjs"}',
  broken: '{"type": }',
  empty: "",
} as const;
const NAMES = [
  'it\'s a "bundle"',
  "line\nend",
  "ümläut 日本 \u{1f600}",
  "-leading dash",
  "100%s %n",
  "$HOME `id` $(id) ; & | > <",
  "back\\slash*?[a]",
  "tasks.mjs",
  "tasks.json",
];
for (const [kind, manifest] of Object.entries(MANIFESTS)) {
  test(`runs below a package.json that is ${kind}, under any name`, () => {
    const place = join(folder, kind, "bin");
    mkdirSync(place, { recursive: true });
    for (const at of [place, dirname(place)]) writeFileSync(join(at, "package.json"), manifest);
    const names = kind === "module" ? NAMES : NAMES.slice(-2);
    for (const name of names) {
      const file = join(place, name);
      copyFileSync(bundle, file);
      chmodSync(file, 0o755);
      const facts = describe([file], { cwd: place });
      assert.is(facts.file, file);
      assert.is(facts.pid, facts.child, "the shell gives its process to node: signals reach it");
    }
  });
}

test("runs through links, from its own folder, by PATH and by a name with a dash", () => {
  const link = join(folder, "link");
  symlinkSync(bundle, link);
  assert.is(describe([link]).file, bundle);
  assert.is(describe(["./tasks"], { cwd: folder }).file, bundle);
  const PATH = `${folder}${delimiter}${process.env["PATH"]}`;
  assert.is(describe(["tasks"], { env: { PATH } }).file, bundle);
  copyFileSync(bundle, join(folder, "-e"));
  chmodSync(join(folder, "-e"), 0o755);
  const found = describe(["sh", "-c", '"-e" --describe'], {
    cwd: folder,
    env: { PATH: `${delimiter}${process.env["PATH"]}` },
  });
  assert.is(found.file, join(folder, "-e"));
});

for (const options of ["--input-type=module", "--input-type=commonjs", "--no-warnings"]) {
  test(`runs with NODE_OPTIONS=${options}`, () => {
    assert.is(describe([bundle], { env: { NODE_OPTIONS: options } }).file, bundle);
  });
}

test("--node-flag and --node-options go to node as they are", async () => {
  const out = join(folder, "flags");
  const args = ["pack", entry, "--out", out, "--json", "--node-flag", "--title=it's $HOME \\"];
  const more = [
    "--node-flag=--no-warnings",
    "--node-options",
    ' --stack-size=500  "--title=a \\"b"',
  ];
  const run = await parlance([...args, ...more]);
  assert.is(run.code, 0, run.stderr);
  const { execArgv, title, words } = describe([out]);
  assert.equal(execArgv.slice(0, 4), [
    "--title=it's $HOME \\",
    "--no-warnings",
    "--stack-size=500",
    '--title=a "b',
  ]);
  assert.is(title, 'a "b');
  assert.equal(words, ["--describe"]);
});

const BAD_FLAGS: readonly (readonly [readonly string[], RegExp])[] = [
  [["--node-flag", "--eval=1"], /does not run the bundle/],
  [["--node-flag", "script.js"], /begins with -/],
  [["--node-flag", "--title=a\nb"], /control character/],
  [["--node-options", '--title="a'], /not closed/],
  [["--node-flag", "--no-warnings", "--format", "sea"], /Set NODE_OPTIONS on the worker/],
  [["--node-flag", "--no-warnings", "--format", "node"], /NodeCoordinator starts `node FILE`/],
  [["--node-binary", "node"], /--node-binary goes with --format sea/],
  [["--format", "node"], /Give --out \S+\.min\.mjs/],
];
test("flags that can't be are refused before anything is done", async () => {
  for (const [flags, pattern] of BAD_FLAGS) {
    const run = await parlance([
      "pack",
      "no-entry.ts",
      "--out",
      join(folder, "no"),
      "--json",
      ...flags,
    ]);
    assert.equal([run.code, run.stdout], [2, ""], flags.join(" "));
    assert.match(errorOf(run).message, pattern);
  }
});

test("a flag that this node does not have is told", async () => {
  const args = ["pack", entry, "--out", join(folder, "no"), "--json", "--node-flag=--no-such-flag"];
  const run = await parlance(args);
  assert.is(run.code, 65);
  assert.match(errorOf(run).message, /no-such-flag/);
});

/** Plays the coordinator: takes both connections and sends a frame; gives how the bundle ended. */
async function launch(env: Readonly<Record<string, string>>) {
  const [comm, logs] = [await listen(), await listen()];
  const argv = [`--comm=127.0.0.1:${comm.port}`, `--logs=127.0.0.1:${logs.port}`];
  const child = spawn(bundle, argv, { env, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const links = await Promise.race([Promise.all([comm.link, logs.link]), ended.then(() => null)]);
  assert.ok(links !== null, `it ended without connecting: ${stderr}`);
  links[0].write(Buffer.from([0, 0, 0, 4, 0x93, 0, 0xc0, 0xc0]));
  const code = await ended;
  for (const link of links) link.destroy();
  for (const { server } of [comm, logs]) server.close();
  return { code, stderr };
}

async function listen(): Promise<{ server: Server; port: number; link: Promise<Socket> }> {
  const server = createServer();
  const link = new Promise<Socket>((resolve) => {
    server.on("connection", (socket) => resolve(socket.on("error", () => {})));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return { server, link, port: (server.address() as { port: number }).port };
}

const OLD = join(folder, "old.cjs");
writeFileSync(
  OLD,
  'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.2.9" } });',
);
test("with a Node.js that is too old it connects, says so and ends with 127", async () => {
  const env = { PATH: process.env["PATH"] ?? "", NODE_OPTIONS: `--require "${OLD}"` };
  const { code, stderr } = await launch(env);
  assert.is(code, 127, stderr);
  assert.match(stderr, "needs Node.js 20.3 or newer; the node that runs it is v");
  const byHand = spawnSync(bundle, ["--describe"], { env, encoding: "utf8" });
  assert.is(byHand.status, 127);
  assert.match(byHand.stderr, "needs Node.js 20.3 or newer");
});

const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], {
  encoding: "utf8",
});
if (python.status === 0) {
  test("without Node.js a Python connects, and it says so and ends with 127", async () => {
    const bin = join(folder, "only-python");
    mkdirSync(bin);
    symlinkSync(python.stdout.trim(), join(bin, "python3"));
    const { code, stderr } = await launch({ PATH: bin });
    assert.is(code, 127, stderr);
    assert.is(
      stderr,
      `This Airflow bundle needs Node.js 20.3 or newer, but there is no 'node' on the PATH of this worker (${bin}).\n`,
    );
  });
} else skip(test, "without Node.js a Python connects", "there is no python3 here");

test.run();
