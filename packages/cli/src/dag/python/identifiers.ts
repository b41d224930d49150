const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

/** Names that Airflow fills in itself: 3.3.2 refuses them as arguments of a mapped stub, 3.4 of any. */
const CONTEXT_KEYS = new Set(
  (
    "asset_state_store conn dag dag_run data_interval_end data_interval_start ds ds_nodash exception expanded_ti_count " +
    "inlet_events inlets logical_date macros map_index_template outlet_events outlets params partition_date partition_key " +
    "prev_data_interval_end_success prev_data_interval_start_success prev_end_date_success prev_start_date_success reason " +
    "run_id task task_instance task_instance_key_str task_reschedule_count task_state_store templates_dict test_mode ti " +
    "triggering_asset_events try_number ts ts_nodash ts_nodash_with_tz var"
  ).split(" "),
);

/** Whether a text is a name of Python as it stands; those beyond ASCII are left out: Python normalises them. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !KEYWORDS.has(text);
}

/** Whether a stub can have a parameter of this name. */
export function isParameterName(text: string): boolean {
  return isIdentifier(text) && !CONTEXT_KEYS.has(text) && !/^__/.test(text) && text !== "self";
}

/** Gives out names, each once. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** A name like a text that is free; from now on it is not. */
  take(like: string): string {
    const bare = like.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
    const base = bare === "" ? "unnamed" : /^[0-9]/.test(bare) ? `n${bare}` : bare;
    for (let count = 1; ; count++) {
      const name = count === 1 ? base : `${base}_${count}`;
      if (this.#taken.has(name) || KEYWORDS.has(name)) continue;
      this.#taken.add(name);
      return name;
    }
  }
}
