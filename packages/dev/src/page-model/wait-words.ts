import type { Wait } from "../api/types.ts";
import { durationText } from "./duration-text.ts";

/** A wait in sentences: how its length comes about, as Airflow counts it. */
export function waitWords(wait: Wait, retryDelaySeconds: number): readonly string[] {
  const words = [...lengthWords(wait, retryDelaySeconds)];
  if (wait.scaledSeconds !== wait.delaySeconds) {
    words.push(
      `This run's time scale makes ${durationText(wait.scaledSeconds)} of ${durationText(wait.delaySeconds)}.`,
    );
  }
  return words;
}

function lengthWords(wait: Wait, retryDelaySeconds: number): readonly string[] {
  const delay = durationText(wait.delaySeconds);
  if (wait.kind === "reschedule") return [`Not a failure: it looks again after ${delay}.`];
  switch (wait.mode) {
    case "override":
      return [`The task asked for ${delay} itself; back-off and cap do not count.`];
    case "fixed":
      return [`A fixed delay of ${delay}: no back-off, so no jitter.`];
    case "overflow":
      return [`The base is beyond every number, so it is Airflow's longest wait: ${delay}.`];
    case "backoff":
      return backoffWords(wait, retryDelaySeconds);
  }
}

function backoffWords(wait: Wait, retryDelaySeconds: number): readonly string[] {
  const { baseSeconds, jitterSeconds, capSeconds, cappedBy, multiplier, afterTry } = wait;
  const base = baseSeconds ?? 0;
  const jitter = jitterSeconds ?? 0;
  const power = afterTry === 1 ? "" : ` × ${multiplier}${superscript(afterTry - 1)}`;
  const words = [
    `Base ${durationText(base)}: ${durationText(retryDelaySeconds)}${power}, rounded up to whole seconds.`,
    base > 1
      ? `Jitter ${durationText(jitter)} of at most ${durationText(base - 1)}; it comes from the task instance's own name, the same on every machine.`
      : `No jitter: a base of ${durationText(base)} leaves no room for one.`,
  ];
  const sum = durationText(base + jitter);
  if (cappedBy === null) {
    const room = capSeconds === null ? "no cap" : `below the cap of ${durationText(capSeconds)}`;
    words.push(`Together ${sum}, ${room}.`);
  } else {
    const cap =
      cappedBy === "max_task_retry_delay" ? "Airflow's own cap" : "the task's max_retry_delay";
    words.push(`Together ${sum}, cut to ${durationText(wait.delaySeconds)} by ${cap}.`);
  }
  return words;
}

function superscript(number: number): string {
  return [...String(number)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
}
