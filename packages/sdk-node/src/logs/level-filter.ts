/**
 * Levels that are written to the log channel. Stock Airflow drops every other word without a trace
 * and refuses upper case, so nothing else ever leaves a runtime.
 */
export type LogLevel = "debug" | "info" | "warning" | "error" | "critical";

/** Severities as Python's logging counts them. */
const SEVERITY = { debug: 10, info: 20, warning: 30, error: 40, critical: 50 } as const;

/** Every word that stock Airflow understands in a level setting, in any letter case. */
const LEVEL_WORDS: ReadonlyMap<string, number> = new Map([
  ["notset", 0],
  ["debug", 10],
  ["info", 20],
  ["warn", 30],
  ["warning", 30],
  ["error", 40],
  ["exception", 40],
  ["fatal", 50],
  ["critical", 50],
]);

/** What stock Airflow's configuration accepts as root level, exactly as written. */
const STOCK_ROOT_WORDS = new Set([
  "CRITICAL",
  "FATAL",
  "ERROR",
  "WARN",
  "WARNING",
  "INFO",
  "DEBUG",
]);

/** Python's `[\s,]`: it has the separators FS to US and NEL, and lacks U+FEFF, unlike `\s` here. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: four of Python's white space characters are controls
const SEPARATORS = /[\t-\r\x1c-\x20,\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/** Something in the level settings that stock Airflow would refuse or skip. */
export interface LevelProblem {
  /**
   * - `root-level-refused`: understood here, though stock Airflow would not start with it
   * - `root-level-unknown`: INFO is used instead
   * - `namespace-entry-skipped`: the entry has no effect
   */
  readonly code: "root-level-refused" | "root-level-unknown" | "namespace-entry-skipped";
  readonly message: string;
}

/** Tells which records leave the process. Immutable. */
export interface LevelFilter {
  /** What was wrong with the settings; empty when all was well. */
  readonly problems: readonly LevelProblem[];
  /** @param logger - dotted logger name; `null` and `""` are the root */
  allows(level: LogLevel, logger: string | null): boolean;
}

/**
 * Reads Airflow's two level settings as the stock Python runner does.
 *
 * The longest entry whose dotted segments begin the logger's name decides alone; without one the
 * root level does. Logger names are case sensitive and have no wildcards; of two entries for one
 * name the last wins. Never throws: what cannot be read is a problem and has no effect.
 *
 * @param settings.level - value of `AIRFLOW__LOGGING__LOGGING_LEVEL`; absent means INFO
 * @param settings.namespaceLevels - value of `AIRFLOW__LOGGING__NAMESPACE_LEVELS`:
 *   `logger=level` pairs between white space and commas
 */
export function createLevelFilter(settings: {
  readonly level?: string | undefined;
  readonly namespaceLevels?: string | undefined;
}): LevelFilter {
  const problems: LevelProblem[] = [];
  const root = readRootLevel(settings.level, problems);
  const entries = readNamespaceLevels(settings.namespaceLevels ?? "", problems);
  return {
    problems,
    allows: (level, logger) => SEVERITY[level] >= threshold(entries, root, logger ?? ""),
  };
}

/** The level of a wire record's own `level` word, or undefined when stock has no such word. */
export function readLevelWord(word: string): LogLevel | undefined {
  switch (LEVEL_WORDS.get(word.toLowerCase())) {
    case 0:
    case 10:
      return "debug";
    case 20:
      return "info";
    case 30:
      return "warning";
    case 40:
      return "error";
    case 50:
      return "critical";
    default:
      return undefined;
  }
}

function readRootLevel(text: string | undefined, problems: LevelProblem[]): number {
  if (text === undefined) return SEVERITY.info;
  const severity = LEVEL_WORDS.get(text.trim().toLowerCase());
  if (severity === undefined) {
    const message = `log level ${JSON.stringify(text)} is no level word; INFO is used. Set AIRFLOW__LOGGING__LOGGING_LEVEL to one of ${[...STOCK_ROOT_WORDS].join(", ")}`;
    problems.push({ code: "root-level-unknown", message });
    return SEVERITY.info;
  }
  if (!STOCK_ROOT_WORDS.has(text)) {
    const message = `log level ${JSON.stringify(text)} is understood here, but Airflow itself accepts only ${[...STOCK_ROOT_WORDS].join(", ")}`;
    problems.push({ code: "root-level-refused", message });
  }
  return severity;
}

function readNamespaceLevels(text: string, problems: LevelProblem[]): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  for (const entry of text.split(SEPARATORS)) {
    if (entry === "") continue;
    const cut = entry.indexOf("=");
    const severity = cut > 0 ? LEVEL_WORDS.get(entry.slice(cut + 1).toLowerCase()) : undefined;
    if (severity === undefined) {
      const message = `namespace level ${JSON.stringify(entry)} is skipped: expected LOGGER=LEVEL with a level of ${[...LEVEL_WORDS.keys()].join(", ")}`;
      problems.push({ code: "namespace-entry-skipped", message });
    } else {
      levels.set(entry.slice(0, cut), severity);
    }
  }
  return levels;
}

function threshold(entries: ReadonlyMap<string, number>, root: number, logger: string): number {
  if (entries.size === 0) return root;
  for (let name = logger; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
    const level = entries.get(name);
    if (level !== undefined) return level;
  }
  return root;
}
