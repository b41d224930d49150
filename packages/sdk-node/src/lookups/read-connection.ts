import type { Connection } from "../client/api/connection.ts";
import { createConnection } from "./connection.ts";
import { parseConnectionJson } from "./connection-json.ts";
import { parseConnectionUri } from "./connection-uri.ts";
import { strip } from "./python-text.ts";

/**
 * Reads a Connection as it stands in `AIRFLOW_CONN_…`: JSON, or a URI.
 *
 * @throws SyntaxError without the text in its message
 */
export function readConnection(text: string, id: string): Connection {
  const value = strip(text);
  if (value === "") throw new SyntaxError("it is empty");
  const parse = value.startsWith("{") ? parseConnectionJson : parseConnectionUri;
  const connection = createConnection(parse(value, id));
  connection.toUri(); // Python's task does so too, and skips what has none
  return connection;
}
