import { join } from "node:path";
import { openSqliteTaskStore, SecretMasker } from "@parlance/coordinator";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

test("a store teaches a masker what its dump would mask", async () => {
  const store = await openSqliteTaskStore(join(temporaryFolder(), "tasks.db"));
  await store.connections.set({
    connId: "c",
    connType: "http",
    host: "plain-host",
    schema: null,
    login: "u",
    password: "pass-word-1",
    port: null,
    extra: '{"deep":{"private_key":"key-in-extra"}}',
  });
  await store.variables.set({ key: "api_token", value: "token-22", description: null });
  await store.variables.set({ key: "region", value: "plain-region", description: null });
  const masker = new SecretMasker();
  await store.teachSecrets(masker);
  await store.close();
  const text = masker.maskText("pass-word-1 key-in-extra token-22 plain-host plain-region");
  assert.is(text, "*** *** *** plain-host plain-region");
});

test.run();
