import type { TaskContext } from "./context.ts";
import { activeCarrier } from "./runtime/open-telemetry.ts";

/**
 * The W3C headers that hand this task's trace on to what it calls: those of the span that is active
 * when the program has set up OpenTelemetry, else those that Airflow sent. Empty without a trace.
 *
 * ```ts
 * await fetch(url, { headers: { accept: "application/json", ...traceHeaders(context) } });
 * ```
 */
export function traceHeaders({ trace }: Pick<TaskContext, "trace">): Record<string, string> {
  const sent: Record<string, string> = {};
  if (trace !== null) {
    sent["traceparent"] = trace.traceparent;
    if (trace.tracestate !== null) sent["tracestate"] = trace.tracestate;
  }
  return { ...activeCarrier(sent) };
}
