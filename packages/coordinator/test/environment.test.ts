import { buildChildEnvironment } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";

const LEVEL = "AIRFLOW__LOGGING__LOGGING_LEVEL";
const LEVELS = "AIRFLOW__LOGGING__NAMESPACE_LEVELS";

const allowed = {
  PATH: "/bin",
  HOME: "/home/u",
  USER: "u",
  LANG: "C.UTF-8",
  LC_ALL: "C",
  LC_TIME: "C",
  TZ: "UTC",
  TMPDIR: "/tmp",
  NODE_OPTIONS: "--max-old-space-size=64",
  NODE_EXTRA_CA_CERTS: "/ca.pem",
  AIRFLOW_VAR_A: "1",
  AIRFLOW_CONN_B: "http://h",
};

const refused = {
  AIRFLOW__DATABASE__SQL_ALCHEMY_CONN: "postgresql://u:secret@h/db",
  AIRFLOW__API_AUTH__JWT_SECRET: "secret",
  AWS_SECRET_ACCESS_KEY: "secret",
  PATHOLOGY: "x", // a prefix is no match
  MY_PATH: "x",
  HOMEBREW: "x",
  USERNAME: "x",
  LANGUAGE: "x",
  LC: "x",
  TZDIR: "x",
  NODE: "x",
  AIRFLOW_VARIABLE: "x",
  path: "x", // names are case-sensitive here
  EMPTY: "",
};

test("the allow-list passes, the rest does not, the logging variables are set", () => {
  assert.equal(buildChildEnvironment({ parent: { ...allowed, ...refused } }), {
    ...allowed,
    [LEVEL]: "INFO",
    [LEVELS]: "",
  });
});

test("inheritEnv passes everything", () => {
  const parent = { ...allowed, ...refused, GONE: undefined };
  assert.equal(buildChildEnvironment({ parent, inheritEnv: true }), {
    ...allowed,
    ...refused,
    [LEVEL]: "INFO",
    [LEVELS]: "",
  });
});

test("env adds, replaces and removes", () => {
  const env = { PATH: "/opt", HOME: undefined, EXTRA: "1" };
  const built = buildChildEnvironment({ parent: { PATH: "/bin", HOME: "/h", X: "1" }, env });
  assert.equal(built, { PATH: "/opt", EXTRA: "1", [LEVEL]: "INFO", [LEVELS]: "" });
});

test("the logging variables: option, env, parent, default", () => {
  const parent = { [LEVEL]: "ERROR", [LEVELS]: "a=DEBUG" };
  const env = { [LEVEL]: "WARNING" };
  assert.is(buildChildEnvironment({ parent })[LEVEL], "ERROR");
  assert.is(buildChildEnvironment({ parent })[LEVELS], "a=DEBUG");
  assert.is(buildChildEnvironment({ parent, env })[LEVEL], "WARNING");
  const options = { parent, env, logLevel: "DEBUG", namespaceLevels: "b=INFO" };
  assert.equal(buildChildEnvironment(options), { [LEVEL]: "DEBUG", [LEVELS]: "b=INFO" });
});

test("names that objects are made with are names like others", () => {
  const parent = JSON.parse('{"__proto__":"x","constructor":"y"}');
  const built = buildChildEnvironment({ parent, inheritEnv: true });
  assert.equal(Object.keys(built).sort(), [LEVEL, LEVELS, "__proto__", "constructor"].sort());
});

test("the environment of this process is the default parent, and is not changed", () => {
  const before = { ...process.env };
  assert.is(buildChildEnvironment()["PATH"], process.env["PATH"]);
  assert.equal({ ...process.env }, before);
});

test.run();
