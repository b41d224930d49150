import { resolve } from "node:path";
import { planRetries, RetryError, type RetryPlan } from "@parlance/retry";
import { CliError, ExitCode } from "../errors.ts";
import { type CommandIo, write } from "../io.ts";
import { NotationPrinter } from "../notation/notation-printer.ts";
import { replaceFile } from "../replace-file.ts";
import { escapeControls } from "../terminal-text.ts";
import { planDocument } from "./plan-document.ts";
import {
  hasBackoff,
  type PlanFlags,
  type PlanSettings,
  readPlanSettings,
} from "./plan-settings.ts";
import { planSvg } from "./plan-svg.ts";
import { planText } from "./plan-text.ts";

/**
 * Prints when a task that fails at every attempt starts again, and why then.
 *
 * @throws CliError `usage` (2); 65 for a plan that Airflow's scheduler fails at too (the code says
 * how), and for a bad file; `cannot-write` (1) for the picture
 */
export async function planCommand(flags: PlanFlags, io: CommandIo): Promise<void> {
  const settings = await readPlanSettings(flags, io);
  if (io.signal.aborted) return;
  const plan = calculate(settings);
  if (flags.svg !== undefined) {
    await replaceFile(resolve(io.cwd, flags.svg), planSvg(settings, plan));
  }
  for (const note of notesOn(flags, settings)) {
    await write(io.stderr, `parlance: note: ${escapeControls(note)}\n`);
  }
  if (flags.json === true) await printJson(planDocument(settings, plan), io);
  else await write(io.stdout, planText(settings, plan, io));
}

function calculate(settings: PlanSettings): RetryPlan {
  try {
    return planRetries(settings);
  } catch (error) {
    if (!(error instanceof RetryError)) throw error;
    throw new CliError(error.code, error.message, ExitCode.badInput, {}, { cause: error });
  }
}

function notesOn(flags: PlanFlags, settings: PlanSettings): readonly string[] {
  const isFixed = !hasBackoff(settings);
  const notes: string[] = [];
  if (settings.tries === 1) {
    const why = flags.fromTask === undefined ? "give --tries" : "the task has no retries";
    notes.push(`one attempt, so there is nothing to wait for: ${why}`);
  }
  if (!isFixed && flags.logicalDate === undefined) {
    notes.push("without --logical-date the jitter is that of a run that has none");
  }
  if (!isFixed && flags.fromTask !== undefined && flags.maxRetryDelay === undefined) {
    notes.push("the API does not show max_retry_delay: give --max-retry-delay if the task has one");
  }
  if (isFixed && (flags.maxRetryDelay ?? flags.maxTaskRetryDelay) !== undefined) {
    notes.push("the caps have no effect: they hold for a back-off, not for a fixed delay");
  }
  return notes;
}

async function printJson(document: unknown, io: CommandIo): Promise<void> {
  let text = "";
  const printer = new NotationPrinter(
    (piece) => {
      text += piece;
    },
    () => false,
  );
  printer.print(document);
  await write(io.stdout, `${text}\n`);
}
