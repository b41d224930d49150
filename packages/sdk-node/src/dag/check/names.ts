import { RegistrationError } from "../../errors.ts";
import { refuse } from "./refuse.ts";

/** Words that are no name of a parameter in Python. */
const PYTHON_WORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally " +
    "for from global if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

/** Names that Airflow gives to what it passes to a Python task itself. */
const CONTEXT_KEYS = new Set(
  (
    "conn context dag dag_run data_interval_end data_interval_start ds ds_nodash expanded_ti_count exception " +
    "inlets inlet_events logical_date macros map_index_template outlets outlet_events params " +
    "prev_data_interval_start_success prev_data_interval_end_success prev_start_date_success " +
    "prev_end_date_success reason run_id start_date task task_reschedule_count task_instance " +
    "task_instance_key_str templates_dict test_mode ti triggering_asset_events ts ts_nodash " +
    "ts_nodash_with_tz try_number var self"
  ).split(" "),
);

/**
 * Names that a task is mapped over are names of parameters wherever Airflow reads the Dag.
 *
 * @throws RegistrationError `bad-option`
 */
export function checkEachName(where: string, name: string): void {
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) || PYTHON_WORDS.has(name)) {
    refuse(where, "a name under forEach", name, "one that a parameter in Python can have");
  }
  if (CONTEXT_KEYS.has(name)) {
    const message = `${where}: forEach has the name ${JSON.stringify(name)}, which Airflow keeps for what it passes to tasks itself; choose another one`;
    throw new RegistrationError("bad-option", message);
  }
}
