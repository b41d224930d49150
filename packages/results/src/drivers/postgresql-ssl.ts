import { readFileSync } from "node:fs";
import { ResultsError } from "../errors.ts";
import type { ResultsUrl } from "../url/results-url.ts";
import { parameter } from "./driver-config.ts";

/** What `ssl` of a `pg.Client` may be. */
export type PgSsl = boolean | { [option: string]: unknown };

const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/**
 * The ways to try in turn, by libpq's rules (postgresql.org/docs/15/libpq-ssl.html): its default is
 * `prefer`, so that a server that insists on encryption is reached by the URL that Celery has. What
 * `verify-ca` and `verify-full` check needs `sslrootcert`, else Node's own list of authorities.
 *
 * @throws ResultsError `bad-url`
 */
export function sslAttempts(url: ResultsUrl, isSocket: boolean): readonly PgSsl[] {
  const mode = parameter(url, "sslmode") ?? process.env["PGSSLMODE"] ?? "prefer";
  if (!MODES.includes(mode)) {
    throw new ResultsError(
      "bad-url",
      `The results URL has sslmode=${mode}; it is one of ${MODES.join(", ")}.`,
      { facts: { field: "sslmode" } },
    );
  }
  if (isSocket || mode === "disable") return [false];
  const files = {
    ...fileOption(url, "sslrootcert", "ca"),
    ...fileOption(url, "sslcert", "cert"),
    ...fileOption(url, "sslkey", "key"),
  };
  const passphrase = parameter(url, "sslpassword");
  const options = { ...files, ...(passphrase === undefined ? {} : { passphrase }) };
  if (mode === "verify-full") return [{ ...options, rejectUnauthorized: true }];
  // With a root certificate, `require` verifies as `verify-ca` does: so does libpq.
  if (mode === "verify-ca" || (mode === "require" && "ca" in files)) {
    return [{ ...options, rejectUnauthorized: true, checkServerIdentity: () => undefined }];
  }
  const encrypted = { ...options, rejectUnauthorized: false };
  if (mode === "require") return [encrypted];
  return mode === "allow" ? [false, encrypted] : [encrypted, false];
}

function fileOption(url: ResultsUrl, name: string, option: string): { [option: string]: Buffer } {
  const file = parameter(url, name);
  if (file === undefined || file === "system") return {};
  try {
    return { [option]: readFileSync(file) };
  } catch (cause) {
    throw new ResultsError(
      "bad-url",
      `The file of ${name} in the results URL can't be read: ${file}`,
      {
        cause,
        facts: { field: name },
      },
    );
  }
}
