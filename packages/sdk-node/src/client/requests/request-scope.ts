import type { StartupDetails, TaskContext } from "../../context.ts";
import { InvalidRequestError } from "../../errors.ts";
import type { Requester } from "../requester.ts";

/** What the parts of the client share. */
export interface RequestScope {
  readonly requester: Requester;
  readonly context: TaskContext;
  /** That of the bundle, which is that of the messages. */
  readonly schemaVersion: StartupDetails["schemaVersion"];
}

/**
 * Refuses what the bundle's schema version does not have.
 *
 * @param what - the call or option, for the message
 * @throws InvalidRequestError `newer-schema-needed`
 */
export function demandNewerSchema({ schemaVersion }: RequestScope, what: string): void {
  if (schemaVersion !== "2026-06-16") return;
  const message =
    `${what} needs schema version 2026-10-30 (Airflow 3.4 or newer), and this program was packed ` +
    "for 2026-06-16: pack it with --schema-version 2026-10-30";
  throw new InvalidRequestError("newer-schema-needed", "", message);
}
