import { NotFoundError, SupervisorError } from "../../errors.ts";

/** Null in place of the error that says that there is no such thing, however Airflow said it. */
export async function nullWhenMissing<Value>(call: Promise<Value>): Promise<Value | null> {
  try {
    return await call;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Whether Airflow said that what was asked for is not there. */
export function isMissing(error: unknown): boolean {
  if (error instanceof NotFoundError) return true;
  if (!(error instanceof SupervisorError)) return false;
  return error.statusCode === 404 || MISSING.includes(error.error);
}

const MISSING: readonly (string | null)[] = ["TASK_STORE_NOT_FOUND", "ASSET_STORE_NOT_FOUND"];
