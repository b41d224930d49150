import {
  type AirflowVersion,
  type Launch,
  type SuperviseResult,
  superviseTasks,
} from "@parlance/test-kit";
import type { Test } from "uvu";
import * as assert from "uvu/assert";

/** What the fake server holds for the Dag `stock`. */
const STORE = { variables: { warehouse: "Graz" } };

const COUNTED = { warehouse: "Graz", kettles: 7 };

function play(version: AirflowVersion, launch: Launch): Promise<readonly SuperviseResult[]> {
  const task = (taskId: string, tryNumber: number, maxTries: number, keepStore: boolean) => {
    return { dagId: "stock", taskId, tryNumber, maxTries, keepStore };
  };
  return superviseTasks({
    version,
    launch,
    store: STORE,
    settings: { heartbeatIntervalSeconds: 1, startupTimeoutSeconds: 60 },
    tasks: [
      task("count", 1, 0, false),
      task("order", 1, 1, true),
      task("order", 2, 1, true),
      task("order", 1, 0, true),
      { ...task("count", 1, 0, false), store: {} },
      task("dispatch", 1, 0, false),
    ],
  });
}

/** The examples in other languages are one Dag: start, a request, success, failure, retry. */
export function registerStockTests(
  test: Test,
  version: AirflowVersion,
  name: string,
  launch: () => Promise<Launch>,
): void {
  test(`${name} under the coordinator of Airflow ${version}`, async () => {
    const results = await play(version, await launch());
    for (const result of results) {
      assert.is(result.supervisorError, null, JSON.stringify(result.supervisorLog));
      assert.is(result.exitCode, 0);
      assert.equal(result.leftoverChildren, []);
      assert.is(result.finalState, result.serverState);
    }
    const [counted, retried, ordered, failed, refused, unknown] = results;
    assert.is(counted?.serverState, "success");
    assert.equal(
      counted?.xcoms.map(({ key, value }) => [key, value]),
      [["return_value", COUNTED]],
    );
    assert.equal(
      counted?.taskLog.map(({ level, event, warehouse }) => [level, event, warehouse]),
      [["info", "Counting", "Graz"]],
    );
    assert.is(retried?.serverState, "up_for_retry");
    assert.is(typeof retried?.nextRetryAt, "string");
    assert.match(errorOf(retried), "the supplier does not answer");
    assert.is(ordered?.serverState, "success");
    assert.is(ordered?.xcoms.find(({ taskId }) => taskId === "order")?.value, 3);
    assert.is(failed?.serverState, "failed");
    assert.is(refused?.serverState, "failed");
    assert.match(errorOf(refused), "VARIABLE_NOT_FOUND");
    assert.is(unknown?.serverState, "failed");
    assert.match(errorOf(unknown), /dispatch.*stock/);
  });
}

function errorOf(result: SuperviseResult | undefined): string {
  const record = result?.taskLog.find(({ level }) => level === "error");
  return String(record?.["error"]);
}
