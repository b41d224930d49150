import type { PlannedWait, RetryPlan } from "@parlance/retry";
import type { CommandIo } from "../io.ts";
import { colorsFor } from "../run/terminal-observer.ts";
import { escapeControls } from "../terminal-text.ts";
import { formatDate, formatSeconds, formatWait } from "./format-wait.ts";
import { planBars } from "./plan-bars.ts";
import { hasBackoff, type PlanSettings } from "./plan-settings.ts";

const HEADS = ["try", "base", "jitter", "cap", "wait", "next start"] as const;

/** The table, the totals and the bars of a plan, for people. */
export function planText(settings: PlanSettings, plan: RetryPlan, io: CommandIo): string {
  const { bold, dim } = colorsFor(io.stdout, io.env);
  const title = `${settings.dagId} / ${settings.taskId}`;
  const lines = [bold(escapeControls(title)), ...settingLines(settings), ""];
  if (plan.waits.length === 0) return `${[...lines, "No waits."].join("\n")}\n`;
  const [heads, ...rows] = align([HEADS, ...rowsOf(settings, plan)]);
  lines.push(dim(heads ?? ""), ...rows, "", totalLine(settings, plan), "");
  lines.push(...planBars(plan.waits, io));
  return `${lines.join("\n")}\n`;
}

function settingLines(settings: PlanSettings): readonly string[] {
  const { logicalDate, retryDelayUs, multiplier, maxRetryDelayUs, tries } = settings;
  const isFixed = !hasBackoff(settings);
  const caps = isFixed
    ? "none: a fixed delay has no cap"
    : `${formatSeconds(settings.maxTaskRetryDelaySeconds)} (max_task_retry_delay)` +
      (maxRetryDelayUs === null || maxRetryDelayUs === 0n
        ? ""
        : `, ${formatWait(maxRetryDelayUs)} (max_retry_delay)`);
  return [
    `logical date  ${logicalDate?.toUtc().toIso() ?? "none"}`,
    `retry_delay   ${formatWait(retryDelayUs)}, multiplier ${multiplier}${isFixed ? " (fixed delay)" : ""}`,
    `caps          ${caps}`,
    `attempts      ${tries}`,
  ];
}

function rowsOf(settings: PlanSettings, plan: RetryPlan): readonly (readonly string[])[] {
  let sinceStartUs = 0n;
  return plan.waits.map((wait) => {
    sinceStartUs += wait.delayUs;
    const row = [
      String(wait.tryNumber),
      wait.baseSeconds === null ? "-" : formatSeconds(wait.baseSeconds),
      wait.jitterSeconds === null ? "-" : formatSeconds(wait.jitterSeconds),
      wait.cappedBy ?? "-",
      formatWait(wait.delayUs),
      startText(wait, sinceStartUs),
    ];
    sinceStartUs += settings.attemptUs;
    return row;
  });
}

/** A date, or how long after the first failure when no date is known. */
function startText({ nextRetry }: PlannedWait, sinceStartUs: bigint): string {
  if (nextRetry !== null) return formatDate(nextRetry);
  return `${sinceStartUs < 0n ? "" : "+"}${formatWait(sinceStartUs)}`;
}

function totalLine(settings: PlanSettings, plan: RetryPlan): string {
  const { waits, totalUs } = plan;
  const count = waits.length === 1 ? "1 wait" : `${waits.length} waits`;
  const shares = hasBackoff(settings) ? `, ${shareText(waits)}` : "";
  return `${count}, ${formatWait(totalUs)} in all${shares}`;
}

function shareText(waits: readonly PlannedWait[]): string {
  const capped = waits.filter(({ cappedBy }) => cappedBy !== null).length;
  const jitter = waits.reduce((sum, { jitterSeconds }) => sum + (jitterSeconds ?? 0), 0);
  const base = waits.reduce((sum, { baseSeconds }) => sum + (baseSeconds ?? 0), 0);
  return `of ${formatSeconds(base)} base and ${formatSeconds(jitter)} jitter before the caps; ${capped} capped`;
}

/** Columns as wide as their widest cell; the first one to the right. */
function align(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = HEADS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, at) => {
      const width = widths[at] ?? 0;
      return at === 0 ? cell.padStart(width) : cell.padEnd(width);
    });
    return cells.join("  ").trimEnd();
  });
}
