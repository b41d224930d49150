import type { ConformanceCase, LinkPlan } from "@parlance/conformance";
import type { SuperviseTask } from "@parlance/test-kit";

type Fault = NonNullable<SuperviseTask["faults"]>[number];

/** Why stock Airflow can't play a case; undefined where it can. */
export function whyUnplayable(one: ConformanceCase): string | undefined {
  if (one.kind !== "task") return "asks for Dags, which is the Dag processor's to do";
  const [launch] = Object.entries(one.launch).filter(([, value]) => value !== undefined);
  if (launch !== undefined) return `starts the program in a way of its own (${launch[0]})`;
  const link = Object.keys(one.link).filter((key) => key !== "replace");
  if (link.length > 0) return `tampers with the link (${link.join(", ")})`;
  if (one.link.replace !== undefined && faultsOf(one.link) === undefined) {
    return "gives an answer that no fault of the API makes stock give";
  }
  if ((one.slowLogsMs ?? 0) > 100) return "reads the log channel late";
  if (one.startupSeconds !== undefined) return "has a start-up time of its own";
  return one.signal === undefined ? undefined : whyUnsent(one.signal);
}

function whyUnsent(signal: NonNullable<ConformanceCase["signal"]>): string | undefined {
  if (signal.name !== "SIGTERM") return `sends ${signal.name}, which stock passes on to nobody`;
  if (signal.afterLog === undefined) return "sends a signal after a request";
  return (signal.times ?? 1) > 1 ? "sends its signal more than once" : undefined;
}

/** Requests of tasks, and the call that each becomes. */
const CALLED_BY: Readonly<Record<string, { readonly method: string; readonly path: string }>> = {
  GetVariable: { method: "GET", path: "^variables/" },
  PutVariable: { method: "PUT", path: "^variables/" },
  DeleteVariable: { method: "DELETE", path: "^variables/" },
  GetConnection: { method: "GET", path: "^connections/" },
  GetXCom: { method: "GET", path: "^xcoms/" },
  SetXCom: { method: "POST", path: "^xcoms/" },
};

/** The faults of the API that make stock answer as the kit does in a case; undefined where none would. */
export function faultsOf({ replace = [] }: LinkPlan): readonly Fault[] | undefined {
  const faults = replace.map(({ to, body, error }): Fault | undefined => {
    const call = CALLED_BY[to];
    const status = (error as { detail?: { status_code?: unknown } } | undefined)?.detail
      ?.status_code;
    if (call === undefined || body != null || typeof status !== "number") return undefined;
    return { ...call, status, times: -1 };
  });
  return faults.includes(undefined) ? undefined : (faults as readonly Fault[]);
}
