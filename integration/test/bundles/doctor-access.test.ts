import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AirflowLine, type DoctorReport, shellQuote } from "@parlance/bundle";
import { requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { writeBundle } from "./support/make-bundles.ts";
import { FINDERS_SCRIPT, type Finding } from "./support/real-finders.ts";

// What depends on who looks, and on how a file system is mounted: doctor and finder run side by side.

const CLI = fileURLToPath(new URL("../../../packages/cli/bin/parlance.js", import.meta.url));
const NOBODY = 65_534;
const PEERS = [
  ["3.3", "airflow-3.3.2"],
  ["3.4", "airflow-3.4.0b2"],
] as const;

interface Answers {
  readonly doctor: DoctorReport;
  readonly finder: Finding;
}

/** Asks both for the Dag d1 of each root, in one shell, in which `setUp` ran before. */
function askBoth(
  python: string,
  airflow: AirflowLine,
  roots: readonly string[],
  { setUp = "", prefix = [] as readonly string[], isNobody = false } = {},
): readonly Answers[] {
  const folder = temporaryFolder("parlance-doctor-home");
  chmodSync(folder, 0o777);
  const at = (name: string): string => shellQuote(join(folder, name));
  const questions = roots.map((root) => ({ finder: "executable", roots: [root], dagId: "d1" }));
  writeFileSync(
    join(folder, "questions"),
    questions.map((question) => `${JSON.stringify(question)}\n`).join(""),
  );
  const changesUser = isNobody && process.getuid?.() === 0;
  const asNobody = `setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups `;
  const doctor = `${changesUser ? asNobody : ""}${shellQuote(process.execPath)} ${shellQuote(CLI)} bundle doctor`;
  const script = [
    setUp,
    ...roots.map(
      (root) =>
        `${doctor} --json --airflow ${airflow} --root ${shellQuote(root)} >> ${at("doctor")} || test $? = 1`,
    ),
    `${shellQuote(python)} ${shellQuote(FINDERS_SCRIPT)} < ${at("questions")} > ${at("finder")}`,
  ].join("\n");
  const words = [...prefix, "sh", "-ec", script];
  const user = changesUser ? { PARLANCE_FINDER_UID: String(NOBODY) } : {};
  const ran = spawnSync(words[0] as string, words.slice(1), {
    encoding: "utf8",
    env: { ...process.env, AIRFLOW_HOME: folder, HOME: folder, ...user },
  });
  assert.is(ran.status, 0, complaintOf(ran));
  const read = (name: string): readonly unknown[] =>
    readFileSync(join(folder, name), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const found = read("finder") as readonly Finding[];
  const told = read("doctor") as readonly DoctorReport[];
  return roots.map((_, at) => ({
    doctor: told[at] as DoctorReport,
    finder: found[at] as Finding,
  }));
}

function complaintOf({ stderr, error }: SpawnSyncReturns<string>): string {
  return `${stderr}${error?.message ?? ""}`;
}

function codesOf(report: DoctorReport | undefined): readonly (readonly [string, string])[] {
  return (report?.problems ?? []).map(
    ({ path, code }) => [path.replace(/^.*\/root\/?/, ""), code] as const,
  );
}

/** A place that everybody may enter. */
function openRoot(): string {
  const folder = temporaryFolder("parlance-doctor");
  chmodSync(folder, 0o755);
  const root = join(folder, "root");
  mkdirSync(root);
  return root;
}

for (const [airflow, peer] of PEERS) {
  const python = requirePeer(test, `the doctor's view of permissions, Airflow ${airflow}`, peer);
  if (python === undefined) continue;

  test(`${airflow}: what the user may not read is passed over, and told`, () => {
    const root = openRoot();
    writeBundle(root, "file");
    writeBundle(root, "folder/bundle");
    writeBundle(root, "entered/bundle");
    chmodSync(join(root, "file"), 0o311);
    chmodSync(join(root, "folder"), 0o311);
    chmodSync(join(root, "entered"), 0o644);
    // of another user, if this one is root; else what the owner may is what counts
    if (process.getuid?.() !== 0) {
      for (const [name, mode] of [
        ["file", 0o100],
        ["folder", 0o100],
        ["entered", 0o400],
      ] as const) {
        chmodSync(join(root, name), mode);
      }
    }
    const foreign = openRoot();
    writeBundle(foreign, "bundle", { mode: 0o744 });
    const [unread, others] = askBoth(python, airflow, [root, foreign], { isNobody: true });
    const problems = unread?.doctor.problems ?? [];
    assert.equal(
      problems.map(({ path, code }) => [path.slice(root.length + 1), code]).sort(),
      [
        ["entered/bundle", "unreadable"],
        ["file", "unreadable"],
        ["folder", "unreadable-folder"],
      ],
      JSON.stringify(problems, null, 1),
    );
    assert.equal([unread?.doctor.dags, unread?.doctor.asRoot], [[], false]);
    assert.ok(unread?.finder.refused, JSON.stringify(unread?.finder));
    if (process.getuid?.() === 0) {
      // only then is there somebody else to own it
      assert.equal(codesOf(others?.doctor), [["bundle", "no-execute-bit"]]);
      assert.equal(others?.doctor.dags, []);
      assert.ok(others?.finder.refused, JSON.stringify(others?.finder));
    }
    if (airflow === "3.4") return;
    for (const { command } of problems) {
      assert.is(spawnSync("sh", ["-c", command ?? "false"]).status, 0, String(command));
    }
    const [mended] = askBoth(python, airflow, [root], { isNobody: true });
    assert.ok(mended?.finder.path);
    assert.is(mended?.doctor.dags[0]?.path, mended?.finder.path);
  });

  const mounting = wayToMount();
  if (mounting === undefined) {
    console.log(
      "# no file system could be mounted with noexec here: that case is left to the unit tests",
    );
    continue;
  }
  test(`${airflow}: a bundle on a file system that is mounted with noexec`, () => {
    const folder = mounting.folder();
    const root = join(folder, "root");
    try {
      const source = temporaryFolder("parlance-doctor-source");
      writeBundle(source, "bundle");
      const copy = `mkdir ${shellQuote(root)}\ncp -p ${shellQuote(join(source, "bundle"))} ${shellQuote(root)}/bundle`;
      const mount = mounting.mounts
        ? `mount -t tmpfs -o noexec,size=1m none ${shellQuote(folder)}`
        : "";
      const setUp = `${mount}\n${copy}\n! ${shellQuote(join(root, "bundle"))} 2> /dev/null`;
      const { prefix } = mounting;
      const [answers] = askBoth(python, airflow, [root], { setUp, prefix });
      const { doctor, finder } = answers as Answers;
      assert.equal(codesOf(doctor), [["bundle", "noexec-mount"]]);
      assert.is(doctor.problems[0]?.severity, "error");
      // 3.3 passes over it; 3.4 takes it, and it can't be started
      assert.is(doctor.dags[0]?.path, finder.path);
      assert.is(finder.path !== undefined, airflow === "3.4", JSON.stringify(finder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** In a mount name space of its own, or where such a file system is mounted already. */
function wayToMount():
  | { readonly prefix: readonly string[]; readonly mounts: boolean; folder(): string }
  | undefined {
  for (const prefix of [
    ["unshare", "-m"],
    ["unshare", "-rm"],
  ]) {
    const probe = "mount -t tmpfs -o noexec none /mnt";
    const [program = "", ...words] = [...prefix, "sh", "-c", probe];
    if (spawnSync(program, words).status === 0) {
      return { prefix, mounts: true, folder: () => temporaryFolder("parlance-noexec") };
    }
  }
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  for (const line of mounts) {
    const [, , , , point = "", options = ""] = line.split(" ");
    if (!options.split(",").includes("noexec")) continue;
    try {
      rmSync(mkdtempSync(join(point, "parlance-")), { recursive: true });
      return { prefix: [], mounts: false, folder: () => mkdtempSync(join(point, "parlance-")) };
    } catch {
      // not for us
    }
  }
  return undefined;
}

test.run();
