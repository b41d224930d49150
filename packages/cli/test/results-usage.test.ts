import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, parlance } from "./support/cli.ts";

// What is refused before a database is asked, and where the URL comes from.

const folder = temporaryFolder();
const SQLITE = `db+sqlite:///${join(folder, "usage.db")}`;
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const WRONG: readonly (readonly [string, readonly string[], number, string, RegExp])[] = [
  ["no store", ["get", "a"], 2, "missing-url", /--url, --url-file or PARLANCE_RESULTS_URL/],
  ["an empty --url", ["get", "a", "--url", " "], 2, "missing-url", /empty/],
  ["two stores", ["get", "a", "--url", SQLITE, "--url-file", "x"], 2, "usage", /can't both/],
  ["a missing URL file", ["get", "a", "--url-file", "nope"], 65, "cannot-read", /no such file/],
  ["a folder as the URL file", ["get", "a", "--url-file", folder], 65, "cannot-read", /EISDIR/],
  ["an empty URL file", ["get", "a", "--url-file", file("e", "\n")], 65, "bad-url-file", /empty/],
  ["two lines", ["get", "a", "--url-file", file("t", "a\nb")], 65, "bad-url-file", /one line/],
  ["no id", ["get"], 2, "usage", /missing required argument 'id'/],
  ["no state", ["put", "a", "--url", SQLITE], 2, "usage", /--state/],
  [
    "a foreign serializer",
    ["get", "a", "--serializer", "pickle"],
    2,
    "usage",
    /json, yaml, msgpack/,
  ],
  ["a negative age", ["cleanup", "--expires", "-1", "--url", SQLITE], 2, "usage", /0 or more/],
  ["no age", ["cleanup", "--url", SQLITE], 2, "usage", /--expires/],
  ["an age in words", ["list", "--older-than", "1 day", "--url", SQLITE], 2, "usage", /seconds/],
  [
    "a wait of no time",
    ["wait", "a", "--interval", "0", "--url", SQLITE],
    2,
    "usage",
    /more than 0/,
  ],
  ["half a retry", ["put", "a", "--state", "S", "--retries", "1.5"], 2, "usage", /whole number/],
  ["a foreign dialect", ["migrate", "--print", "--dialect", "db2"], 2, "usage", /Allowed choices/],
  ["an unknown command", ["got", "a"], 2, "usage", /known: get, put/],
  [
    "members in two ways",
    ["group", "save", "g", "a", "--members", "[]", "--url", SQLITE],
    2,
    "usage",
    /not both/,
  ],
];
for (const [name, args, code, error, message] of WRONG) {
  test(`refuses ${name}`, async () => {
    const run = await parlance(["results", ...args, "--json"], {
      env: { PARLANCE_RESULTS_URL: "" },
    });
    assert.is(run.code, code, run.stderr);
    assert.is(run.stdout, "");
    assert.is(errorOf(run).code, error);
    assert.match(errorOf(run).message, message);
  });
}

const VALUES: readonly (readonly [string, readonly string[], string, RegExp])[] = [
  ["no JSON", ["--result", "hello"], "bad-json", /'"text"'/],
  ["Python's infinity", ["--result", "-Infinity"], "bad-json", /\{"\$":"float","v":"-inf"\}/],
  ["stamps that are no map", ["--stamps", "[]"], "bad-value", /object/],
  ["stamped headers that are no names", ["--stamped-headers", "[1]"], "bad-value", /names/],
  ["two values", ["--result", "1 2"], "bad-json", /something follows/],
  ["an unknown mark", ["--result", '{"$":"money","v":"1"}'], "bad-value", /none of int, float/],
  ["a foreign key", ["--result", '{"$":"int","v":"1","x":1}'], "bad-value", /has no "x"/],
  ["an integer too wide", ["--result", `1${"0".repeat(4300)}`], "bad-json", /4300 digits/],
  ["no date", ["--result", '{"$":"date","iso":"2026-02-30"}'], "bad-value", /2026-02-30/],
  [
    "an offset denied",
    ["--result", '{"$":"datetime","iso":"2026-01-01T00:00:00Z","aware":false}'],
    "bad-value",
    /aware/,
  ],
  ["half a byte", ["--result", '{"$":"bytes","hex":"0"}'], "bad-value", /no bytes/],
  ["no decimal", ["--result", '{"$":"decimal","v":"1,5"}'], "bad-value", /decimal number/],
  [
    "an unknown tag",
    ["--result", '{"__type__":"set","__value__":[]}'],
    "bad-value",
    /could not read it/,
  ],
  ["a tag of text", ["--result", '{"__type__":"uuid","__value__":"x"}'], "bad-value", /__value__/],
  [
    "a failure without exception",
    ["--state", "FAILURE", "--result", "1"],
    "bad-value",
    /--exc-type/,
  ],
  ["args that are no list", ["--args", "{}"], "bad-value", /array/],
  ["kwargs that are no map", ["--kwargs", "[]"], "bad-value", /object/],
  ["children that are none", ["--children", "[1]"], "bad-value", /tuples/],
];
for (const [name, flags, error, message] of VALUES) {
  test(`refuses ${name} as input`, async () => {
    const words = ["results", "put", "a", "--url", SQLITE, "--state", "OWN", ...flags, "--json"];
    const run = await parlance(words);
    assert.is(run.code, 65, run.stderr);
    assert.is(errorOf(run).code, error);
    assert.match(errorOf(run).message, message);
  });
}

test("refuses exceptions where there can be none, and two results", async () => {
  for (const flags of [
    ["--state", "SUCCESS", "--exc-type", "E"],
    ["--state", "FAILURE", "--exc-message", "m"],
    ["--state", "FAILURE", "--exc-type", "E", "--result", "null"],
    ["--state", "S", "--result", "1", "--result-file", "-"],
  ]) {
    const run = await parlance(["results", "put", "a", "--url", SQLITE, ...flags, "--json"]);
    assert.is(run.code, 2, run.stderr);
    assert.is(errorOf(run).code, "usage");
  }
});

for (const [name, url, code, error] of [
  ["Oracle", "db+oracle://u:sesame@h/x", 2, "unsupported-database"],
  ["SQL Server", "db+mssql+pyodbc://u:sesame@h/x", 2, "unsupported-database"],
  ["no database at all", "db+nosuch://u:sesame@h/x", 2, "unknown-dialect"],
  ["redis", "redis://:sesame@h/0", 2, "unknown-dialect"],
  ["no URL", "sesame", 2, "bad-url"],
  ["a port that is none", "db+postgresql://u:sesame@h:port/x", 2, "bad-url"],
] as const) {
  test(`refuses ${name} without telling the password`, async () => {
    const run = await parlance(["results", "get", "a", "--json"], {
      env: { PARLANCE_RESULTS_URL: url },
    });
    assert.is(run.code, code, run.stderr);
    assert.is(errorOf(run).code, error);
    assert.not.match(run.stderr, "sesame");
  });
}

test("a password in --url works, with a warning that does not repeat it", async () => {
  // A server that refuses each log-in: nothing that would be tried again.
  const refusal = Buffer.from("E\0\0\0\u001bSFATAL\0C28P01\0Mrefused\0\0");
  const server = createServer((socket) => void socket.once("data", () => socket.end(refusal)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `db+postgresql://u:sesame@127.0.0.1:${port}/x`;
  const run = await parlance(["results", "get", "a", "--url", url, "--json"]);
  server.close();
  assert.is(run.code, 69);
  const { warning } = JSON.parse(run.stderr.split("\n")[0] ?? "");
  assert.is(warning.code, "password-on-command-line");
  assert.match(warning.message, "can be seen in the list of processes");
  assert.is(errorOf(run).code, "database-unreachable");
  assert.not.match(run.stderr, "sesame");
});

test("a secret parameter is one too; no warning shows a URL with its secrets", async () => {
  for (const parameter of ["password", "passwd", "sslpassword"]) {
    const url = `db+sqlite:///${join(folder, "absent.db")}?${parameter}=sesame`;
    const run = await parlance(["results", "exists", "a", "--url", url]);
    assert.match(run.stderr, /can be seen in the list of processes.*\n.*there are no tables/);
    assert.not.match(run.stderr, "sesame");
  }
});

test("what is stored in memory is gone, which is told", async () => {
  const put = ["results", "put", "a", "--state", "SUCCESS", "--json", "--url"];
  for (const url of ["db+sqlite://", "db+sqlite:///:memory:"]) {
    assert.match((await parlance([...put, url])).stderr, '"code":"in-memory"');
  }
});

test("the URL comes from a file, from stdin or from the environment, in this order", async () => {
  const exists = async (flags: readonly string[], options: object) => {
    const run = await parlance(["results", "exists", "x", "--json", ...flags], options);
    return [run.code, run.stdout, run.stderr];
  };
  const absent = [1, '{"exists":false}\n', ""];
  const put = ["results", "put", "x", "--state", "SUCCESS", "--url", SQLITE];
  assert.is((await parlance(put)).code, 0);
  const present = [0, '{"exists":true}\n', ""];
  const other = `db+sqlite:///${join(folder, "other.db")}`;
  const made = await parlance(["results", "put", "y", "--state", "SUCCESS", "--url", other]);
  assert.is(made.code, 0, made.stderr);
  const env = { PARLANCE_RESULTS_URL: other };
  assert.equal(await exists([], { env }), absent);
  assert.equal(await exists(["--url", SQLITE], { env }), present);
  assert.equal(await exists(["--url-file", file("url", `${SQLITE}\n`)], { env }), present);
  assert.equal(await exists(["--url-file", "-"], { env, stdin: `  ${SQLITE}\r\n` }), present);
});

test.run();
