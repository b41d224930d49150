import { inspect } from "node:util";
import { seedStore } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { STORE_KINDS } from "../support/store-kinds.js";

const SECRETS = ["pw-of-c1", "extra-token-value", "api-key-value", "deep-secret", "xcom-secret"];

for (const [kind, open] of STORE_KINDS) {
  test(`${kind}: a dump has everything, and no secret; neither has the store to look at`, async () => {
    const store = await open();
    await seedStore(
      store,
      {
        variables: { api_key: "api-key-value", plain: "plain-value" },
        connections: {
          c1: { conn_type: "http", password: "pw-of-c1", extra: { token: "extra-token-value" } },
        },
        xcoms: [
          { task_id: "t", value: { said: "pw-of-c1 and api-key-value", password: "deep-secret" } },
          { task_id: "t", key: "secret", value: ["xcom-secret"] },
          { task_id: "t", key: "big", value: { $: "int", v: "9223372036854775808" } },
        ],
        dag_runs: [{ run_id: "r", conf: { said: "extra-token-value", n: 1 } }],
        task_instances: [{ task_id: "t" }],
        assets: [{ name: "a", extra: { token: "deep-secret" } }],
        asset_events: [{ name: "a", extra: { said: "pw-of-c1" } }],
      },
      { dagId: "d", runId: "r" },
    );
    await store.states.set("scope", "k", "api-key-value", null);
    const ref = { dagId: "d", runId: "r", taskId: "t", mapIndex: -1 };
    await store.taskInstances.update(ref, { renderedFields: { sql: "pw-of-c1" } });
    const dump = await store.dump();
    const text = JSON.stringify(dump);
    for (const secret of SECRETS) {
      assert.not(text.includes(secret), `${secret} is in ${text}`);
      assert.not(inspect(store, { depth: 20, showHidden: true }).includes(secret), secret);
      assert.not(inspect(dump, { depth: 20 }).includes(secret), secret);
    }
    assert.equal(
      dump.variables.map(({ key, value }) => [key, value]),
      [
        ["api_key", "***"],
        ["plain", "plain-value"],
      ],
    );
    assert.equal(dump.xcoms[2]?.value, { $: "int", v: "9223372036854775808" });
    for (const [part, rows] of Object.entries(dump)) {
      const empty = ["taskInstanceHistory", "hitlDetails"].includes(part);
      assert.is(rows.length > 0, !empty, part);
    }
    await store.close();
  });
}

test.run();
