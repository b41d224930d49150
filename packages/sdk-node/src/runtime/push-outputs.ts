import type { TaskClient } from "../client/task-client.ts";
import { InvalidRequestError } from "../errors.ts";
import { kindOf } from "../outcomes/check-arguments.ts";

/**
 * Stores each value of a result under its key, for tasks that take one of them: `this()["key"]`.
 *
 * @throws InvalidRequestError for a result that is no plain object
 */
export async function pushOutputs(result: unknown, client: TaskClient): Promise<void> {
  if (result === undefined || result === null) return;
  const prototype: unknown = typeof result === "object" ? Object.getPrototypeOf(result) : undefined;
  if (prototype !== Object.prototype && prototype !== null) {
    const message = `The task's result is ${kindOf(result)}, expected a plain object: it is registered with multipleOutputs`;
    throw new InvalidRequestError("invalid-value", "", message);
  }
  for (const [key, value] of Object.entries(result)) {
    if (value !== undefined) await client.setXCom(value, { key });
  }
}
