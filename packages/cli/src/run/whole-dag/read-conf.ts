import { CliError, ExitCode } from "../../errors.ts";

/** A run's configuration out of `--conf JSON` and `--param NAME=JSON`, which wins. */
export function readConf(
  conf: string | undefined,
  params: readonly string[],
): { readonly [key: string]: unknown } | undefined {
  if (conf === undefined && params.length === 0) return undefined;
  return {
    ...(conf !== undefined && readObject(conf)),
    ...Object.fromEntries(params.map(readParam)),
  };
}

/** Refuses `--param` of what is no param: a slip of the pen would go unnoticed. */
export function checkParamNames(
  params: readonly string[],
  known: readonly { readonly name: string }[],
): void {
  const names = known.map(({ name }) => name);
  for (const [name] of params.map(readParam)) {
    if (names.includes(name)) continue;
    const there = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
    throw usage(
      `--param got ${JSON.stringify(name)}, which is no param of the Dag (${there}); --conf takes whatever else tasks read.`,
    );
  }
}

function readObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // said below
  }
  throw usage(`--conf got ${JSON.stringify(text)}; it takes a JSON object.`);
}

function readParam(word: string): [string, unknown] {
  const at = word.indexOf("=");
  try {
    if (at < 1) throw new Error("there is no NAME=");
    return [word.slice(0, at), JSON.parse(word.slice(at + 1))];
  } catch (error) {
    const why = (error as Error).message;
    throw usage(
      `--param got ${JSON.stringify(word)}; it takes NAME=JSON, a text in quotes of its own: --param 'region="eu"' (${why}).`,
    );
  }
}

/** `--logical-date`: ISO 8601 with a zone, or `none`. */
export function readLogicalDate(text: string | undefined): Date | null | undefined {
  if (text === undefined) return undefined;
  if (text === "none") return null;
  const date = new Date(text);
  if (/T.*(?:Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(date.getTime())) return date;
  throw usage(
    `--logical-date got ${JSON.stringify(text)}; it takes a date with a time and a zone, 2026-01-02T03:04:05Z, or none.`,
  );
}

function usage(message: string): CliError {
  return new CliError("usage", message, ExitCode.usage);
}
