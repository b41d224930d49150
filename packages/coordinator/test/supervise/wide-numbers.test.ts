import { test } from "uvu";
import * as assert from "uvu/assert";
import { STORE_KINDS } from "../support/store-kinds.js";
import { detailOf, SERIES, withPeer } from "../support/with-peer.js";

// Integers are of any size on the wire; those of a database are not.

const WIDE = [2 ** 31, 2 ** 53, 2n ** 62n, 2n ** 64n - 1n];
const DAG = { dag_id: "d" };

for (const [kind, open] of STORE_KINDS) {
  test(`${kind}: a map index that no server could keep is refused, and nothing is changed`, async () => {
    const store = await open();
    await withPeer(
      "2026-10-30",
      async (ask) => {
        for (const map_index of WIDE) {
          for (const body of [
            { type: "SetXCom", ...SERIES, value: 1, map_index },
            { type: "GetXCom", ...SERIES, map_index },
            { type: "DeleteXCom", ...SERIES, map_index },
            { type: "GetTICount", ...DAG, map_index },
            { type: "GetTaskStates", ...DAG, map_index },
            { type: "GetPreviousTI", ...DAG, task_id: "t", map_index },
            { type: "SkipDownstreamTasks", tasks: ["a", ["b", map_index]] },
          ]) {
            const detail = detailOf(await ask(body));
            assert.is(detail.status_code, 400, body.type);
            assert.match(detail.message, `${body.type}: a map index of`);
          }
        }
        assert.equal(await store.xcoms.list({ dagId: "d", runId: "r" }), []);
        const found = await store.taskInstances.list({ dagId: "d" });
        assert.equal(
          found.map(({ taskId }) => taskId),
          ["t"],
        );
      },
      { store },
    );
    await store.close();
  });

  test(`${kind}: a place far beyond a sequence is one where nothing is`, async () => {
    const store = await open();
    await withPeer(
      "2026-10-30",
      async (ask) => {
        await ask({ type: "SetXCom", ...SERIES, value: 1 });
        for (const wide of [...WIDE, -(2 ** 31), -(2 ** 53), -(2n ** 63n)]) {
          const item = await ask({ type: "GetXComSequenceItem", ...SERIES, offset: wide });
          assert.is(item.body?.["error"], "XCOM_NOT_FOUND");
          const bounds = { start: wide, stop: wide, step: wide };
          const slice = await ask({ type: "GetXComSequenceSlice", ...SERIES, ...bounds });
          assert.equal(slice.body?.["root"], []);
        }
        const all = { start: -(2n ** 62n), stop: 2n ** 62n, step: 1 };
        const whole = await ask({ type: "GetXComSequenceSlice", ...SERIES, ...all });
        assert.equal(whole.body?.["root"], [1]);
      },
      { store },
    );
    await store.close();
  });
}

test.run();
