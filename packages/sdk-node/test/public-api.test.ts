import * as sdk from "@parlance/sdk-node";
import { Bundle, type TaskHandler, type XComValue } from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";

test("the exported names are these", () => {
  assert.equal(Object.keys(sdk).sort(), [
    "Bundle",
    "CalendarDate",
    "ChannelClosedError",
    "DateTime",
    "Decimal",
    "DeferralError",
    "Duration",
    "Float",
    "FrozenSet",
    "Input",
    "InputError",
    "InvalidRequestError",
    "NotFoundError",
    "PythonObject",
    "RegistrationError",
    "RequestTimeoutError",
    "SupervisorError",
    "TaskError",
    "TaskOutcome",
    "TaskRemovedError",
    "TaskStoppedError",
    "TaskStub",
    "TimeZone",
    "Timestamp",
    "Tuple",
    "UnreadableValueError",
    "Uuid",
    "asset",
    "awaitInput",
    "dag",
    "decodeValue",
    "defer",
    "describeBundle",
    "eachOf",
    "encodeValue",
    "fromArgument",
    "fromConf",
    "fromTask",
    "getLogger",
    "isTaskOutcome",
    "literal",
    "param",
    "requiredParam",
    "reschedule",
    "serve",
    "skip",
    "skipDownstream",
    "traceHeaders",
  ]);
});

test("loading the package outside of a task changes nothing in the process", () => {
  assert.is(process.listenerCount("uncaughtException"), 0);
  assert.is(process.listenerCount("beforeExit"), 0);
  assert.is(process.exitCode, undefined);
  assert.match(Function.prototype.toString.call(process.exit), /function exit\(/);
});

test("an XCom is typed: interfaces pass, what JSON cannot hold is told in the editor", () => {
  interface Row {
    readonly id: number;
    readonly note?: string;
    readonly parts: readonly Row[];
  }
  class Order {
    total = (): number => 1;
  }
  const store = async (client: sdk.TaskClient, row: Row, json: unknown): Promise<void> => {
    await client.setXCom(row, { key: "k" });
    await client.setXCom([row, null, 1n, new sdk.Float(2)], { key: "k" });
    await client.setXCom({ rows: [row], json, tuple: [1, "a"] as const }, { key: "k" });
    await client.setXCom({ at: new Date(), ids: new Set([1]) }, { key: "k" });
    // @ts-expect-error: a Map is no XCom value
    await client.setXCom(new Map([["a", 1]]), { key: "k" });
    // @ts-expect-error: an object with methods is no XCom value
    await client.setXCom([new Order()], { key: "k" });
    // @ts-expect-error: bytes are no XCom value
    await client.maskSecret(new Uint8Array(1));
  };
  assert.type(store, "function");
});

test("handlers are typed", () => {
  interface Row {
    readonly id: number;
  }
  const extract: TaskHandler<readonly Row[]> = async ({ context, client, log, signal }) => {
    signal.throwIfAborted();
    const date: Date | null = context.logicalDate;
    const rows = await client.getXCom<Row[]>({ taskId: "up" });
    log.info("read", { count: rows?.length, date });
    const text: string | null = await client.getVariable("k");
    // @ts-expect-error: a Variable is text or null
    const wrong: number = await client.getVariable("k");
    return [{ id: text === null ? wrong : 1 }];
  };
  const bundle = new Bundle().task("d", "t", extract).task("d", "u", () => undefined);
  // @ts-expect-error: a handler is a function
  assert.throws(() => bundle.task("d", "v", 7));
  const value: XComValue = { rows: [1n, 2, null], float: new sdk.Float(1), left: undefined };
  // @ts-expect-error: a Map is no XCom value
  const map: XComValue = { map: new Map([["a", 1]]) };
  assert.ok(value && map);
  const handler = bundle.getHandler("d", "t");
  assert.type(handler, "function");
});

test.run();
