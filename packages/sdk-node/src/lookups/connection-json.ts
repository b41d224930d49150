import type { ConnectionFields } from "./connection.ts";
import { normalizeType, parseConnectionUri } from "./connection-uri.ts";
import { type PythonJson, printPythonJson, readPythonJson } from "./python-json.ts";
import { readInteger } from "./python-text.ts";

const TEXTS = ["host", "schema", "login", "password"] as const;

/**
 * What Python's `Connection.from_json()` makes of a text.
 *
 * @throws SyntaxError where that raises, or where what it makes is of no use: a host that is a
 * number, for example, which Python's task skips a little later
 */
export function parseConnectionJson(text: string, id: string): ConnectionFields {
  const fields = readPythonJson(text);
  if (!(fields instanceof Map)) throw new SyntaxError("it is no map");
  const given = new Map(fields as ReadonlyMap<string, PythonJson>);
  const take = (name: string): PythonJson => {
    const value = given.get(name) ?? null;
    given.delete(name);
    return value;
  };
  const [extra, type, port] = [take("extra"), take("conn_type"), take("port")];
  const settings = {
    extra: isEmpty(extra) ? null : typeof extra === "string" ? extra : printPythonJson(extra),
    type: isEmpty(type) ? "" : normalizeType(demandText(type, "conn_type")),
    port: isEmpty(port) ? null : toInteger(port),
  };
  const uri = take("uri");
  if (uri !== null) {
    const isAlone = given.size === 0 && Object.values(settings).every((value) => !value);
    if (!isAlone) throw new SyntaxError("uri stands beside other fields");
    return parseConnectionUri(demandText(uri, "uri"), id);
  }
  take("description"); // tasks do not see it
  const [host, schema, login, password] = TEXTS.map((name) => {
    const value = take(name);
    return value === null ? null : demandText(value, name);
  }) as [string | null, string | null, string | null, string | null];
  for (const name of given.keys()) {
    throw new SyntaxError(`it has a field ${JSON.stringify(name)}, which no Connection has`);
  }
  return { id, host, schema, login, password, ...settings };
}

/** What Python takes for false. */
function isEmpty(value: PythonJson): boolean {
  if (value === null || value === false || value === "" || value === 0 || value === 0n) return true;
  return value instanceof Map ? value.size === 0 : Array.isArray(value) && value.length === 0;
}

function demandText(value: PythonJson, name: string): string {
  if (typeof value === "string") return value;
  throw new SyntaxError(`its ${name} is no text`);
}

/** Python's `int(value)`. */
function toInteger(value: PythonJson): number {
  if (typeof value === "number" && Number.isFinite(value)) return Math.trunc(value);
  if (typeof value === "bigint" || value === true) return Number(value);
  const integer = typeof value === "string" ? readInteger(value) : undefined;
  if (integer !== undefined) return integer;
  throw new SyntaxError("its port is no whole number");
}
