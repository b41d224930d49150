import type { PlannedWait } from "@parlance/retry";
import type { CommandIo } from "../io.ts";
import { colorsFor } from "../run/terminal-observer.ts";
import { formatWait } from "./format-wait.ts";

const PLAIN_WIDTH = 80;
const LEAST_BAR = 10;

/** How long each part of a wait is, in seconds; what a cap takes away is gone from the jitter first. */
export interface BarParts {
  readonly base: number;
  readonly jitter: number;
}

/** The parts of a wait as it is, cap included. A negative wait has no length. */
export function barParts(wait: PlannedWait): BarParts {
  const whole = Math.max(0, Number(wait.delayUs) / 1e6);
  const base = Math.min(wait.baseSeconds ?? whole, whole);
  return { base, jitter: whole - base };
}

/**
 * One bar a wait, to scale. With blocks and colours on a terminal; in ASCII where the output is no
 * terminal, and under NO_COLOR.
 */
export function planBars(waits: readonly PlannedWait[], io: CommandIo): readonly string[] {
  const colors = colorsFor(io.stdout, io.env);
  const { columns = PLAIN_WIDTH } = io.stdout as NodeJS.WriteStream;
  const [full, light, cut] = colors.isColorSupported ? ["█", "░", "▏"] : ["#", "-", "|"];
  const labels = waits.map(({ tryNumber }) => `try ${tryNumber}`);
  const values = waits.map(({ delayUs }) => formatWait(delayUs));
  const labelWidth = Math.max(...labels.map((label) => label.length));
  const valueWidth = Math.max(...values.map((value) => value.length));
  const barWidth = Math.max(LEAST_BAR, columns - labelWidth - valueWidth - 5);
  const longest = Math.max(...waits.map((wait) => Number(wait.delayUs) / 1e6));
  const bars = waits.map((wait, at) => {
    const { base, jitter } = barParts(wait);
    const scale = longest > 0 ? barWidth / longest : 0;
    const whole = Math.round((base + jitter) * scale);
    const solid = Math.min(whole, Math.round(base * scale));
    const bar = colors.blue(full.repeat(solid)) + colors.cyan(light.repeat(whole - solid));
    const end = wait.cappedBy === null ? "" : colors.yellow(cut);
    const label = (labels[at] ?? "").padEnd(labelWidth);
    return `${label}  ${bar}${end}${bar + end === "" ? "" : " "}${values[at]}`;
  });
  const isFixed = waits[0]?.mode === "fixed";
  const parts = isFixed ? `${full} delay` : `${full} base  ${light} jitter  ${cut} capped`;
  return [...bars, colors.dim(`${" ".repeat(labelWidth)}  ${parts}`)];
}
