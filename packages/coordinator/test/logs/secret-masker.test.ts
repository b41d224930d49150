import { type LogRecord, SecretMasker } from "@parlance/coordinator";
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

test.run();
