import {
  createSerializer,
  decodeStored,
  type Serializer,
  SerializerError,
  type SerializerName,
} from "@parlance/results";
import { throws, toHex } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  cellsOf,
  EXACT,
  expectedOf,
  type GoldenCase,
  goldenCases,
  readCell,
  writeCell,
} from "./golden-cells.ts";

/**
 * Binary cells of a file; how many of them we read as Celery does (a refusal where Celery refuses
 * counts); how many are the same bytes when they are made anew from what was written, where one
 * write made the row.
 */
type Counts = readonly [cells: number, read: number, written: number];

const FILES: Readonly<Record<string, readonly [SerializerName, Counts]>> = {
  json_values: ["json", [60, 60, 58]],
  json_states: ["json", [24, 22, 21]],
  json_sequences: ["json", [9, 9, 0]],
  json_children: ["json", [14, 14, 13]],
  json_extended: ["json", [40, 40, 39]],
  json_groups: ["json", [9, 9, 8]],
  json_legacy_and_broken: ["json", [40, 33, 0]],
  mariadb_json: ["json", [161, 159, 145]],
  mariadb_groups: ["json", [9, 9, 8]],
  postgresql_json: ["json", [161, 159, 145]],
  postgresql_groups: ["json", [9, 9, 8]],
  yaml_all: ["yaml", [142, 140, 136]],
  yaml_groups: ["yaml", [9, 9, 8]],
  msgpack_all: ["msgpack", [135, 133, 127]],
  msgpack_groups: ["msgpack", [9, 9, 8]],
  pickle_all: ["json", [151, 116, 0]],
  pickle_groups: ["json", [9, 0, 0]],
};

/** Cells that are read otherwise, on purpose. */
const READ_OTHERWISE: Readonly<Record<string, string>> = {
  failure_custom_unknown: "the module that was stored, not the one where Celery makes a class",
  failure_nested_class: "the module that was stored",
  exc_pairs: "no module was stored; Celery makes a class in one of its own",
  exc_no_module: "no module was stored",
  exc_security: "names are data here, so there is nothing to refuse",
  exc_ctor_fails: "no constructor is called, so none fails",
};

/** Cells that are written otherwise, by all serializers or by one. */
const WRITTEN_OTHERWISE: Readonly<Record<string, string>> = {
  failure_many_args: "OSError(2, …) becomes FileNotFoundError in Python, which drops an argument",
  failure_celery_exc: "Celery's name of the class is an alias of billiard's",
  dict_nonstring_keys: "1 and True are one key in Python; msgpack refuses what no one can read",
  "json/dict_key_order": "JSON.parse has sorted the keys of the case",
  "msgpack/dict_key_order": "the same",
  "json/failure_unserializable_arg": "a repr of Python",
  "msgpack/failure_unserializable_arg": "a repr of Python",
  "yaml/failure_kombu_types": "reprs of Python",
  "msgpack/failure_kombu_types": "reprs of Python",
};

for (const [file, [name, counts]] of Object.entries(FILES)) {
  test(`${file}: read as Celery reads it, written byte for byte`, async () => {
    assert.equal(check(file, await createSerializer(name, EXACT)), counts);
  });
}

function check(file: string, serializer: Serializer): Counts {
  const isPickle = file.startsWith("pickle");
  let [cells, read, written] = [0, 0, 0];
  for (const item of goldenCases(file)) {
    cells += cellsOf(item).length;
    read += readAll(item, serializer, isPickle);
    if (!isPickle) written += writeAll(item, serializer);
  }
  return [cells, read, written];
}

function readAll(item: GoldenCase, serializer: Serializer, isPickle: boolean): number {
  const cells = cellsOf(item);
  const errors = cells.map((cell) => {
    try {
      const value = readCell(item, cell, serializer, isPickle);
      if (item.read_error == null) assert.equal(value, expectedOf(item, cell.column));
      return undefined;
    } catch (error) {
      return error as Error;
    }
  });
  const failed = errors.filter((error) => error !== undefined);
  if (item.name in READ_OTHERWISE && (failed.length > 0 || item.read_error != null))
    return cells.length - 1;
  if (item.read_error != null) {
    assert.ok(
      failed.some((error) => error instanceof SerializerError),
      item.name,
    );
    return cells.length;
  }
  for (const error of failed) assert.ok(isRefusedPickle(error), `${item.name}: ${error.message}`);
  return cells.length - failed.length;
}

function writeAll(item: GoldenCase, serializer: Serializer): number {
  let count = 0;
  for (const { column, bytes } of cellsOf(item)) {
    const isOther =
      item.name in WRITTEN_OTHERWISE || `${serializer.name}/${item.name}` in WRITTEN_OTHERWISE;
    if (isOther && column === "result") continue;
    const made = writeCell(item, column, serializer);
    if (made === undefined) continue;
    assert.is(toHex(made), toHex(bytes), `${item.name}, ${column}`);
    count += 1;
  }
  const [error] = item.write_errors ?? [];
  if (error?.["type"] === "EncodeError") {
    const failing = () => ["result", "args"].map((column) => writeCell(item, column, serializer));
    throws(failing, "cannot-encode");
  }
  return count;
}

function isRefusedPickle(error: Error): boolean {
  return error instanceof SerializerError && error.code === "pickle-refused";
}

test("the pickles that are refused are those that import something, each by name", async () => {
  const json = await createSerializer("json");
  const imports = new Map<string, number>();
  const files = ["pickle_all", "pickle_groups", "json_legacy_and_broken"];
  for (const cell of files.flatMap(goldenCases).flatMap(cellsOf)) {
    try {
      decodeStored(cell.bytes, json);
    } catch (error) {
      const name = (error as SerializerError).globalName;
      if (name !== undefined) imports.set(name, (imports.get(name) ?? 0) + 1);
    }
  }
  assert.equal(Object.fromEntries(imports), {
    "datetime.datetime": 6,
    "datetime.date": 1,
    "datetime.time": 1,
    "decimal.Decimal": 4,
    "uuid.UUID": 1,
    "celery.app.base._unpickle_appattr": 11,
    "builtins.ValueError": 10,
    "builtins.RuntimeError": 2,
    "builtins.FileNotFoundError": 1,
    "builtins.KeyError": 1,
    "celery.utils.serialization.UnpickleableExceptionWrapper": 2,
    "billiard.exceptions.SoftTimeLimitExceeded": 1,
    "billiard.exceptions.WorkerLostError": 1,
    "builtins.ConnectionError": 1,
    "celery.exceptions.TaskRevokedError": 3,
    "posixpath.join": 1,
  });
});

test.run();
