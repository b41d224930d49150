import type { LogHub } from "./logger.ts";

/** Name of the logger that Node's own warnings appear under. */
const WARNINGS_LOGGER = "task.warnings";

type Warning = Error & { readonly code?: unknown; readonly detail?: unknown };

/**
 * Turns the warnings of the process (deprecations, a leak of listeners, experimental features) into
 * records of level warning: Node prints them to stderr, which a supervisor shows as errors. Those
 * that Node itself would not print, by `--no-warnings` or `--no-deprecation`, are left out here too.
 * Listeners of the program hear them as before.
 */
export function captureWarnings(target: NodeJS.Process, hub: LogHub): void {
  const [nodesOwn] = target.listeners("warning");
  if (nodesOwn === undefined) return; // --no-warnings
  target.off("warning", nodesOwn as () => void);
  let disabled: ReadonlySet<unknown> | undefined;
  target.on("warning", (warning: Warning) => {
    const isDeprecation = warning.name === "DeprecationWarning";
    if (isDeprecation && target.noDeprecation === true) return;
    disabled ??= disabledWarnings(target);
    if (disabled.has(warning.code) || disabled.has(warning.name)) return;
    if (!hub.allows("warning", WARNINGS_LOGGER)) return;
    const { name, message, code, detail } = warning;
    const isTraced =
      (target as { traceProcessWarnings?: boolean }).traceProcessWarnings === true ||
      (isDeprecation && target.traceDeprecation === true);
    hub.emit("warning", WARNINGS_LOGGER, `${name}: ${message}`, {
      ...(code === undefined ? {} : { code }),
      ...(detail === undefined ? {} : { detail }),
      ...(isTraced ? { error: warning } : {}),
    });
  });
}

/** What `--disable-warning=CODE_OR_TYPE` names. */
function disabledWarnings({ execArgv, env }: NodeJS.Process): ReadonlySet<string> {
  const words = [...(env["NODE_OPTIONS"] ?? "").split(/\s+/), ...execArgv];
  const flag = "--disable-warning=";
  return new Set(
    words.filter((word) => word.startsWith(flag)).map((word) => word.slice(flag.length)),
  );
}
