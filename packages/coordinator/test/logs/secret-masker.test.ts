import { isSensitiveName, type LogRecord, SecretMasker } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";

const record = (fields: { [key: string]: unknown }): LogRecord => ({
  timestamp: null,
  level: "info",
  logger: "task",
  event: "",
  ...fields,
});

test("secrets go from the event and from fields, nested ones too; the record itself stays", () => {
  const masker = new SecretMasker();
  masker.add("s3cr3t");
  masker.add("s3cr3t-and-more");
  const given = record({ event: "a s3cr3t-and-more b s3cr3t", list: [{ x: ["s3cr3t"] }], n: 5 });
  const masked = masker.mask(given);
  assert.is(masked.event, "a *** b ***");
  assert.equal(masked["list"], [{ x: ["***"] }]);
  assert.match(String(given.event), "s3cr3t");
  const clean = record({ event: "nothing here" });
  assert.is(masker.mask(clean), clean);
});

test("a field with a sensitive name is masked whatever it holds", () => {
  const masked = new SecretMasker().mask(
    record({ Password: "x", deep: { api_key: ["y", 1, null, true], ok: "z" }, auth_TOKEN: 12345 }),
  );
  assert.is(masked["Password"], "***");
  assert.equal(masked["deep"], { api_key: ["***", "***", null, true], ok: "z" });
  assert.is(masked["auth_TOKEN"], "***");
});

test("short secrets, and values whose name is not sensitive, are left alone", () => {
  const masker = new SecretMasker();
  masker.add("abcd");
  masker.add("harmless-value", "comment");
  masker.add({ host: "visible-host", password: "hidden-pass" });
  masker.add(["listed-one"], "secret_list");
  masker.add(null);
  masker.add("");
  assert.is(
    masker.maskText("abcd harmless-value visible-host hidden-pass listed-one"),
    "abcd harmless-value visible-host *** ***",
  );
});

test("regular expression characters in a secret are plain text", () => {
  const masker = new SecretMasker();
  masker.add("a.b*c(d)[e]$^|\\-/{1}");
  assert.is(masker.maskText("x a.b*c(d)[e]$^|\\-/{1} y aXb"), "x *** y aXb");
});

test("names are sensitive as on Airflow, however their words are joined", () => {
  const names = (
    "access_key access_token api_key apikey auth_header authorization bearer connection_string dsn " +
    "keyfile_dict passphrase passwd password private_key proxies proxy proxy_password secret " +
    "service_account service_key token webhook_url"
  ).split(" ");
  for (const name of [
    ...names,
    "My-API-Key",
    "private key",
    "privateKey",
    "APIKey",
    "serviceKEY1",
  ]) {
    assert.ok(isSensitiveName(name), name);
  }
  for (const name of ["key", "pass", "api", "wordpress", "hidden"]) {
    assert.not(isSensitiveName(name), name);
  }
});

test("a secret is found as it stands in JSON, in a URL and on lines of its own", () => {
  const masker = new SecretMasker();
  const secret = 'pä"ss\\word /!1';
  masker.add(secret);
  const texts = [
    JSON.stringify({ secret }),
    '"p\\u00e4\\"ss\\\\word /!1"',
    `db://u:${encodeURIComponent(secret)}@h`,
    `q=${new URLSearchParams({ secret })}`,
    JSON.stringify({ body: JSON.stringify({ secret }) }),
    `ValueError('pä"ss\\\\word /!1')`,
  ];
  for (const text of texts) assert.match(masker.maskText(text), /^[^p%]*\*\*\*[^w]*$/, text);
  masker.add("-- BEGIN --\nfirst-line\r\nab\n");
  assert.is(masker.maskText("x first-line ab"), "x *** ab");
  masker.add("\ud800-lone-half");
  assert.is(masker.maskText("a \ud800-lone-half"), "a ***");
});

test("the name of Airflow itself, the usual test password, is no secret", () => {
  const masker = new SecretMasker();
  masker.add("Airflow");
  assert.is(masker.maskText("Airflow runs"), "Airflow runs");
});

test("no end is left of secrets that overlap", () => {
  const masker = new SecretMasker();
  for (const secret of ["abcdef", "defghi", "aaaaa"]) masker.add(secret);
  assert.is(masker.maskText("xabcdefghiy aaaaaaa."), "x***y ***.");
});

test("a secret as the name of a field is masked, and no value is lost by it", () => {
  const masker = new SecretMasker();
  for (const secret of ["first-hidden", "other-hidden"]) masker.add(secret);
  const masked = masker.mask(record({ deep: { "first-hidden": 1, "other-hidden": 2, ok: 3 } }));
  assert.equal(masked["deep"], { "***": 1, "****": 2, ok: 3 });
});

test("bytes in base64 and lines that were no record are masked, too", () => {
  const masker = new SecretMasker();
  masker.add("pässword");
  const bytes = Buffer.concat([Buffer.from("a pässword"), Buffer.from([0xff])]);
  const masked = masker.mask(
    record({ line_base64: bytes.toString("base64"), line: '{"level":"X","api-key":"any","n":1}' }),
  );
  const left = Buffer.from(String(masked["line_base64"]), "base64");
  assert.is(left.toString("latin1"), "a ***\u00ff");
  assert.is(masked["line"], '{"level":"X","api-key":"***","n":1}');
  const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  assert.is(masker.mask(record({ line: deep }))["line"], deep);
});

test("a secret of many megabytes, and thousands of secrets, are no problem", () => {
  const masker = new SecretMasker();
  const large = "0123456789abcdef".repeat(1 << 17);
  masker.add(large);
  assert.is(masker.maskText(`x ${large} y`), "x *** y");
  for (let at = 0; at < 2_000; at++) {
    masker.add(`secret-${at}-`);
    masker.mask(record({ event: "nothing" }));
  }
  assert.is(masker.maskText("a secret-1999- b"), "a *** b");
});

test.run();
