import type { Connection } from "../client/api/connection.ts";
import { createConnection } from "./connection.ts";
import { parseConnectionJson } from "./connection-json.ts";
import { parseConnectionUri } from "./connection-uri.ts";

/** What Python's `str.strip()` takes away; `trim` differs by four control characters and U+FEFF. */
const SPACE =
  "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const AROUND = new RegExp(`^${SPACE}+|${SPACE}+$`, "g");

/**
 * Reads a Connection as it stands in `AIRFLOW_CONN_…`: JSON, or a URI.
 *
 * @throws SyntaxError without the text in its message
 */
export function readConnection(text: string, id: string): Connection {
  const value = text.replace(AROUND, "");
  if (value === "") throw new SyntaxError("it is empty");
  const parse = value.startsWith("{") ? parseConnectionJson : parseConnectionUri;
  const connection = createConnection(parse(value, id));
  connection.toUri(); // Python's task does so too, and skips what has none
  return connection;
}
