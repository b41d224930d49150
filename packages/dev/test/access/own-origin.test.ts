import { test } from "uvu";
import * as assert from "uvu/assert";
import { OneTimeToken } from "../../dist/access/one-time-token.js";
import { isFromOwnPage, isOwnHost } from "../../dist/access/own-origin.js";
import { Sessions } from "../../dist/access/sessions.js";

test("only loopback names with the very port are this server", () => {
  for (const host of ["127.0.0.1:80", "localhost:80", "[::1]:80", "LocalHost:80"]) {
    assert.ok(isOwnHost(host, 80), host);
  }
  const foreign = [undefined, "", "127.0.0.1", "127.0.0.1:81", "127.0.0.2:80", "evil:80"];
  for (const host of [...foreign, "127.0.0.1:80.evil", "localhost.evil:80", "::1:80"]) {
    assert.not(isOwnHost(host, 80), String(host));
  }
});

test("what changes something must come from a page of this server", () => {
  const own = { host: "localhost:80", origin: undefined, fetchSite: undefined };
  assert.ok(isFromOwnPage({ ...own, method: "GET" }));
  assert.not(isFromOwnPage({ ...own, method: "POST" }));
  assert.ok(isFromOwnPage({ ...own, method: "POST", origin: "http://localhost:80" }));
  const origins = ["null", "", "http://localhost", "https://localhost:80", "http://127.0.0.1:80"];
  for (const origin of origins) {
    assert.not(isFromOwnPage({ ...own, method: "POST", origin }), origin);
    assert.not(isFromOwnPage({ ...own, method: "GET", origin }), origin);
  }
  for (const fetchSite of ["cross-site", "same-site", "other"]) {
    assert.not(isFromOwnPage({ ...own, method: "GET", fetchSite }), fetchSite);
  }
});

test("a token is good once, until it expires or a newer one is there", () => {
  let now = 0;
  const tokens = new OneTimeToken({ lifetimeMs: 10, now: () => now });
  const first = tokens.issue();
  assert.match(first, /^[\w-]{43}$/);
  assert.not(tokens.spend("wrong"));
  assert.ok(tokens.spend(first));
  assert.not(tokens.spend(first));
  const [old, fresh] = [tokens.issue(), tokens.issue()];
  assert.not(tokens.spend(old));
  now = 9;
  assert.ok(tokens.spend(fresh));
  const late = tokens.issue();
  now = 19;
  assert.not(tokens.spend(late));
});

test("sessions are told apart by their cookie, and the oldest of many ends", () => {
  const sessions = new Sessions(80);
  const first = sessions.open().split(";")[0] ?? "";
  assert.ok(sessions.isOpen(first));
  assert.ok(sessions.isOpen(`a=b; parlance_dev_80=x;${first} ; c`));
  for (const none of [undefined, "", "parlance_dev_80", "parlance_dev_80=", first.slice(0, -1)]) {
    assert.not(sessions.isOpen(none), none);
  }
  assert.not(new Sessions(80).isOpen(first));
  for (let count = 0; count < 16; count++) sessions.open();
  assert.not(sessions.isOpen(first));
});

test.run();
