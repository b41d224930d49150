import { normalizeAddress, toEndpoint } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadCase } from "../support/cases.ts";

const adr01 = loadCase<unknown[], { in: unknown; out: [string, number] | null }[]>("ADR-01");

for (const { in: input, out } of adr01.expected) {
  test(`ADR-01 ${JSON.stringify(input)}`, () => {
    const endpoint = toEndpoint(input);
    assert.equal(endpoint === null ? null : [endpoint.address, endpoint.port], out);
  });
}

test("an endpoint object is read as the list form is", () => {
  assert.equal(toEndpoint({ address: "::ffff:7f00:1", port: 80 }), {
    address: "127.0.0.1",
    port: 80,
  });
  assert.is(toEndpoint(null), null);
  assert.is(toEndpoint({ address: "::1" }), null);
});

for (const [text, normal] of [
  ["0:0:0:0:0:0:0:1", "::1"],
  ["0:0:0:0:0:0:0:0", "::"],
  ["::FFFF:7F00:1", "127.0.0.1"],
  ["0:0:0:0:0:ffff:10.0.0.7", "10.0.0.7"],
  ["::2", "0.0.0.2"], // as stock: every value above ::1 in the compatible range
  ["::ffff:1", "255.255.0.1"], // compatible, not mapped
  ["64:ff9b::7f00:1", "64:ff9b::7f00:1"],
  ["2001:DB8::1", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1%eth0"],
  ["", ""],
] as const) {
  test(`normal form of "${text}"`, () => assert.is(normalizeAddress(text), normal));
}

test.run();
