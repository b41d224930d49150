import { errorDetail } from "../logs/error-detail.ts";

const MAX_FRAMES = 10;

/**
 * What Airflow shows of an error that kept a Dag from being read: each error of its chain with the
 * places in the source, innermost first.
 */
export function importError(error: unknown): string {
  const parts = errorDetail(error).map(({ exc_type: type, exc_value: value, frames }, index) => {
    // In a packed program what has a place in a file of the project, below its folder; elsewhere all
    // but Node's own.
    const own = frames.filter(({ filename }) => !filename.startsWith("node:"));
    const mapped = own.filter(({ filename }) => !/^(\/|[a-zA-Z]+:)/.test(filename));
    const places = (mapped.length > 0 ? mapped : own).reverse().slice(0, MAX_FRAMES);
    const lines = places.map(({ name, filename, lineno }) => {
      return `    at ${name} (${filename}:${lineno})`;
    });
    const head = value === "" ? type : `${type}: ${value}`;
    return [index === 0 ? head : `caused by ${head}`, ...lines].join("\n");
  });
  return parts.join("\n");
}
