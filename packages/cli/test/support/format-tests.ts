import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Test } from "uvu";
import * as assert from "uvu/assert";
import { parlance } from "./cli.ts";
import { EVERYTHING, FAILING_LINE } from "./pack-project.ts";

interface Entry {
  readonly xcoms: Readonly<Record<string, unknown>>;
  readonly logs: readonly Readonly<Record<string, unknown>>[];
}

/** Runs the tasks of the test project under our coordinator; they are called everything, place and fails. */
export async function runProject(bundle: string): Promise<readonly [Entry, Entry, Entry]> {
  const run = await parlance(["run", bundle, "--dag", "d", "--retries", "0", "--json"]);
  return (JSON.parse(run.stdout) as { tasks: [Entry, Entry, Entry] }).tasks;
}

/** The tests that a format of bundles has to pass with the test project, packed once. */
export function registerFormatTests<T>(
  test: Test<T>,
  format: "executable" | "sea" | "node",
  project: string,
  bundle: string,
): void {
  test(`${format}: packs a project of all kinds of files`, async () => {
    const args = [
      "pack",
      "src/tasks.ts",
      "--out",
      bundle,
      "--format",
      format,
      "--source",
      "--json",
    ];
    const run = await parlance(args, { cwd: project });
    assert.is(run.code, 0, run.stderr);
    assert.is(run.stderr, "");
    const result = JSON.parse(run.stdout) as Record<string, unknown>;
    assert.equal(
      [result["path"], result["format"], result["schemaVersion"], result["warnings"]],
      [bundle, format, "2026-06-16", []],
    );
    assert.is(result["nodeVersion"], format === "sea" ? process.versions.node : undefined);
    assert.is(result["bytes"], readFileSync(bundle).length);
  });

  test(`${format}: the bundle is verified, with the sources of the worker too`, async () => {
    const run = await parlance(["bundle", "inspect", bundle]);
    assert.is(run.code, 0, run.stdout);
    const { metadata, problems, regions } = JSON.parse(run.stdout) as {
      metadata: Record<string, unknown>;
      regions: { sources?: { path: string }[] };
      problems: unknown[];
    };
    assert.equal(problems, []);
    const sources = (metadata["sources"] ?? regions.sources) as { path: string }[];
    const paths = sources.map(({ path }) => path).sort();
    assert.ok(paths.includes("src/worker.ts") && paths.includes("lib/aliased.ts"), paths.join());
    assert.not(/node_modules|binary/.test(paths.join()), paths.join());
    assert.is(metadata["entrypoint_path"], "src/tasks.ts");
  });

  test(`${format}: all of it runs, knows its place, and names its lines`, async () => {
    const [everything, place, fails] = await runProject(bundle);
    const { logs } = everything;
    assert.equal(everything.xcoms["return_value"], EVERYTHING, JSON.stringify(logs));
    const [url, file, dir] = [`file://${bundle}`, bundle, dirname(bundle)];
    assert.equal(place.xcoms["return_value"], [url, file, dir, file, dir, file]);
    assert.match(JSON.stringify(fails.logs), /no rows/);
    assert.ok(placesIn(fails).includes(FAILING_LINE), placesIn(fails).join());
  });
}

/** `file:line` of each frame of the errors that were logged. */
export function placesIn({ logs }: Entry): readonly string[] {
  return logs.flatMap((record) => {
    const [detail] = (record["error_detail"] ?? []) as {
      frames: { filename: string; lineno: number }[];
    }[];
    return (detail?.frames ?? []).map(({ filename, lineno }) => `${filename}:${lineno}`);
  });
}
