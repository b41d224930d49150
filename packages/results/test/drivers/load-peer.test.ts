import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadPeer } from "../../dist/drivers/load-peer.js";

test("a package that is not installed is named, with the command that installs it", async () => {
  const name = "no-such-database-driver";
  const error = await rejects(
    loadPeer(name, "PostgreSQL", () => import(name)),
    "driver-missing",
  );
  assert.match(error.message, /PostgreSQL.*npm install no-such-database-driver/);
});

test("a package that is broken says so itself", async () => {
  const own = Object.assign(new Error("Cannot find package 'inner' imported from pg"), {
    code: "ERR_MODULE_NOT_FOUND",
  });
  assert.is(await rejects(loadPeer("pg", "PostgreSQL", () => Promise.reject(own))), own);
});

test.run();
