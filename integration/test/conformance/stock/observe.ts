import {
  type CaseEvidence,
  type ConformanceCase,
  type Finding,
  judgeCase,
  type SeenFrame,
} from "@parlance/conformance";
import { type LogRecord, SUPERVISOR_LOGGER } from "@parlance/coordinator";
import { decodeRequestFrame, decodeResponseFrame } from "@parlance/framing";
import { isTerminalMessage } from "@parlance/protocol";
import type { HarnessFrame, HarnessLogRecord, SuperviseResult } from "@parlance/test-kit";

type Body = { readonly type?: unknown; readonly [field: string]: unknown };

const MALFORMED = /^Malformed json/i;

/** What the real supervisor saw of a case, in the form in which the kit keeps what its own run saw. */
export function stockEvidence(
  one: ConformanceCase,
  ours: CaseEvidence,
  stock: SuperviseResult,
): CaseEvidence {
  const frames = (stock.frames ?? []).map(readFrame);
  const terminal = frames.findLast(
    ({ direction, body }) =>
      direction === "to-supervisor" && isTerminalMessage((body as Body | undefined)?.type),
  )?.body as Body | undefined;
  const error = stock.supervisorError;
  return {
    version: ours.version,
    result: {
      finalState: (stock.finalState ?? "none") as CaseEvidence["result"]["finalState"],
      exitCode: stock.exitCode,
      durationMs: stock.wallMs,
      ...(terminal !== undefined && { terminal }),
      ...(error !== null && { error: { code: error.type, message: error.message } }),
    },
    frames,
    leftUnanswered: unanswered(frames),
    records: stock.taskLog as readonly LogRecord[],
    supervisor: stock.supervisorLog.filter(isMalformed).map(asSupervisorRecord),
    xcoms: Object.fromEntries(
      stock.xcoms.filter(({ taskId }) => taskId === one.task).map(({ key, value }) => [key, value]),
    ),
    variables: stock.variables,
    ...(ours.bundle !== undefined && { bundle: ours.bundle }), // no matter of the supervisor's
    seconds: stock.wallMs / 1_000,
    late: error?.type === "Watchdog",
  };
}

/** Holds what the real supervisor saw against the case, by the kit's own judge. */
export function judgeStock(
  one: ConformanceCase,
  ours: CaseEvidence,
  stock: SuperviseResult,
): readonly Finding[] {
  return judgeCase(one, stockEvidence(one, ours, stock));
}

function readFrame({ atMs, direction, hex }: HarnessFrame): SeenFrame {
  const bytes = Buffer.from(hex, "hex");
  const toTask = direction === "supervisor->child";
  const seen = {
    direction: toTask ? "to-task" : "to-supervisor",
    atMs,
    hex: hex.slice(0, 8_192),
    bytes: bytes.length,
  } as const;
  try {
    if (!toTask) {
      const { id, body, carrier } = decodeRequestFrame(bytes.subarray(4), { wrapFloats: true });
      return { ...seen, id, body, third: carrier };
    }
    const { id, body, error } = decodeResponseFrame(bytes.subarray(4), { wrapFloats: true });
    return { ...seen, id, body, third: error };
  } catch (error) {
    return { ...seen, fault: (error as Error).message };
  }
}

function unanswered(frames: readonly SeenFrame[]): readonly string[] {
  const open = new Map<string, string>();
  for (const { direction, id, body } of frames) {
    if (direction === "to-task") open.delete(String(id));
    else open.set(String(id), String((body as Body | undefined)?.type));
  }
  return [...open.values()];
}

const isMalformed = ({ event }: HarnessLogRecord): boolean => MALFORMED.test(String(event));

function asSupervisorRecord(record: HarnessLogRecord): LogRecord {
  const event = String(record.event);
  return {
    timestamp: null,
    level: "error",
    logger: SUPERVISOR_LOGGER,
    event,
    line: record["line"],
  };
}
