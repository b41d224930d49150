import type { JSX } from "preact";
import type { Wait } from "../../../../src/api/types.ts";
import { durationText } from "../../../../src/page-model/duration-text.ts";
import { plainText } from "../../../../src/page-model/plain-text.ts";
import type { WaitBar } from "../../../../src/page-model/wait-bars.ts";
import { waitWords } from "../../../../src/page-model/wait-words.ts";
import { clockText } from "../../parts/clock-time.tsx";
import { WaitDrawing } from "./wait-drawing.tsx";

interface WaitProps {
  readonly wait: Wait;
  readonly bar: WaitBar;
  readonly isPlanned: boolean;
  readonly retryDelaySeconds: number;
  readonly nowMs: number;
}

/** A wait: its length, drawn to scale, in words. */
export function WaitItem({
  wait,
  bar,
  isPlanned,
  retryDelaySeconds,
  nowMs,
}: WaitProps): JSX.Element {
  const { delaySeconds, afterTry, reason } = wait;
  return (
    <li class="wait">
      <p class="facts">
        <span>
          {isPlanned ? `after try ${afterTry} ` : "waits "}
          <strong>{durationText(delaySeconds)}</strong>
        </span>
        <span class="dim">{progressText(wait, nowMs)}</span>
      </p>
      <WaitDrawing wait={wait} bar={bar} elapsed={elapsedShare(wait, nowMs)} />
      <p class="words">{waitWords(wait, retryDelaySeconds).join(" ")}</p>
      {reason !== null && reason !== "" && <p class="words">It said: {plainText(reason)}</p>}
    </li>
  );
}

/** How much of a wait that runs is over; null of one that does not. */
function elapsedShare({ beganAt, dueAt, startedAt }: Wait, nowMs: number): number | null {
  if (beganAt === null || dueAt === null || startedAt !== null) return null;
  const [began, due] = [Date.parse(beganAt), Date.parse(dueAt)];
  return due <= began ? 1 : Math.min(1, Math.max(0, (nowMs - began) / (due - began)));
}

function progressText({ beganAt, dueAt, startedAt }: Wait, nowMs: number): string {
  if (beganAt === null || dueAt === null) return "";
  if (startedAt !== null) {
    const waited = (Date.parse(startedAt) - Date.parse(beganAt)) / 1000;
    return `from ${clockText(beganAt)} to ${clockText(startedAt)}, ${durationText(waited)} in all`;
  }
  const left = Math.ceil((Date.parse(dueAt) - nowMs) / 1000);
  return left > 0 ? `${durationText(left)} left, due at ${clockText(dueAt)}` : "due now";
}
