import type { TriggerRule } from "../../dag/runnable-dag.ts";
import {
  allDone,
  allDoneMinOneSuccess,
  allDoneSetupSuccess,
  allFailed,
  allSkipped,
  allSuccess,
  always,
} from "./all-rules.ts";
import { noneFailed, noneFailedMinOneSuccess, noneSkipped } from "./none-rules.ts";
import { oneDone, oneFailed, oneSuccess } from "./one-rules.ts";
import type { TriggerRuleLogic } from "./trigger-rule.ts";

/** Every trigger rule of Airflow 3.4. */
export const TRIGGER_RULES: { readonly [Rule in TriggerRule]: TriggerRuleLogic } = {
  all_success: allSuccess,
  all_failed: allFailed,
  all_done: allDone,
  all_done_min_one_success: allDoneMinOneSuccess,
  all_done_setup_success: allDoneSetupSuccess,
  one_success: oneSuccess,
  one_failed: oneFailed,
  one_done: oneDone,
  none_failed: noneFailed,
  none_failed_min_one_success: noneFailedMinOneSuccess,
  none_skipped: noneSkipped,
  all_skipped: allSkipped,
  always,
};
