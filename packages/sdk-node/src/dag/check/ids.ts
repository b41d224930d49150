import { refuse } from "./refuse.ts";

/** Airflow's limits, in characters. */
const MAX_ID = 250;
const MAX_GROUP_ID = 200;
const DAG_ID = /^[\p{L}\p{N}_.-]+$/u;
const LAST_PART = /^[\p{L}\p{N}_-]+$/u;

/** @throws RegistrationError `bad-id` */
export function checkDagId(id: unknown): string {
  return checkText(`dag(…)`, "the id", id, DAG_ID, "letters, digits, '_', '-' and '.'");
}

/** @returns the full id @throws RegistrationError `bad-id` */
export function checkTaskId(where: string, prefix: string, id: unknown): string {
  const expected = "letters, digits, '_' and '-' (dots come from the groups around it: .group(…))";
  return checkLength(
    where,
    prefix + checkText(where, "the task id", id, LAST_PART, expected),
    MAX_ID,
  );
}

/** @returns the full id @throws RegistrationError `bad-id` */
export function checkGroupId(where: string, prefix: string, id: unknown): string {
  const expected = "letters, digits, '_' and '-'";
  return checkLength(
    where,
    prefix + checkText(where, "the group id", id, LAST_PART, expected),
    MAX_GROUP_ID,
  );
}

function checkText(
  where: string,
  what: string,
  id: unknown,
  form: RegExp,
  expected: string,
): string {
  if (typeof id !== "string" || !form.test(id)) {
    refuse(where, what, id, `text of ${expected}`, "bad-id");
  }
  return checkLength(where, id, MAX_ID);
}

function checkLength(where: string, id: string, max: number): string {
  const length = Array.from(id).length;
  if (length > max) {
    refuse(where, `the id of ${length} characters`, id, `at most ${max}`, "bad-id");
  }
  return id;
}
