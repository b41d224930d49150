import type { Connection } from "../client/api/connection.ts";
import { connectionUri } from "./connection-uri.ts";

/** What a Connection is made of. */
export type ConnectionFields = Omit<Connection, "extraJson" | "toUri">;

/** A Connection with its methods. */
export function createConnection(fields: ConnectionFields): Connection {
  const { extra } = fields;
  return {
    ...fields,
    extraJson: () => (extra === null || extra.trim() === "" ? null : JSON.parse(extra)),
    toUri: () => connectionUri(fields),
  };
}
