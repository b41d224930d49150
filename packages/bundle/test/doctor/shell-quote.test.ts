import { shellQuote } from "@parlance/bundle";
import { test } from "uvu";
import * as assert from "uvu/assert";

// that a shell reads them back is proven where processes are started: integration/test/bundles

test("plain words stay as they are; others are quoted", () => {
  assert.is(shellQuote("/a/b-c_d.e:1"), "/a/b-c_d.e:1");
  assert.is(shellQuote("/a b"), "'/a b'");
  assert.is(shellQuote("/it's $x `y` \\n"), "'/it'\\''s $x `y` \\n'");
  assert.is(shellQuote("/ü"), "'/ü'");
  assert.is(shellQuote(""), "''");
});

test("what should not be shown is written by printf", () => {
  assert.is(shellQuote("/a\nb"), `"$(printf '/a\\012b')"`);
  assert.is(shellQuote("/\u001b[31m"), `"$(printf '/\\033[31m')"`);
  assert.is(shellQuote(Buffer.from([0x2f, 0xff, 0x25, 0x27])), `"$(printf '/\\377\\045\\047')"`);
  // the shell would drop this one
  assert.is(shellQuote("/a\n"), "'/a\n'");
});

test.run();
