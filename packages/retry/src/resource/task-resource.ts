/** A `datetime.timedelta` on the wire, in Python's normal form: only `days` may be negative. */
export interface TimeDelta {
  readonly __type: "TimeDelta";
  readonly days: number;
  /** 0 to 86,399 */
  readonly seconds: number;
  /** 0 to 999,999 */
  readonly microseconds: number;
}

/** A param of a task, as the REST API shows it. */
export interface ParamResource {
  readonly value: unknown;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly description: string | null;
  readonly source: "dag" | "task" | null;
}

/**
 * A task as `GET /api/v2/dags/{dag_id}/tasks/{task_id}` of Airflow 3.3.2 answers it: these fields,
 * all of them, in this order. `max_retry_delay` is not among them.
 */
export interface TaskResource {
  readonly task_id: string;
  readonly task_display_name: string;
  readonly owner: string;
  /** UTC, `2025-01-01T00:00:00Z`; six digits of fraction where it is not zero. */
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly trigger_rule: string;
  readonly depends_on_past: boolean;
  readonly wait_for_downstream: boolean;
  readonly retries: number;
  readonly queue: string;
  readonly pool: string;
  readonly pool_slots: number;
  readonly execution_timeout: TimeDelta | null;
  readonly retry_delay: TimeDelta;
  /** The multiplier. Null for NaN and infinity, though Airflow declares it a number. */
  readonly retry_exponential_backoff: number | null;
  readonly priority_weight: number;
  readonly weight_rule: string;
  readonly ui_color: string;
  readonly ui_fgcolor: string;
  readonly template_fields: readonly string[];
  readonly downstream_task_ids: readonly string[];
  readonly doc_md: string | null;
  readonly operator_name: string;
  readonly params: Readonly<Record<string, ParamResource>>;
  readonly class_ref: { readonly module_path: string | null; readonly class_name: string };
  readonly is_mapped: boolean;
  /** Always empty in 3.3.2, also where the operator has links (run). */
  readonly extra_links: readonly string[];
}

/** What `GET /api/v2/dags/{dag_id}/tasks` answers. There is no paging. */
export interface TaskCollection {
  readonly tasks: readonly TaskResource[];
  readonly total_entries: number;
}

/** The body of every refusal. */
export interface ErrorBody {
  readonly detail: string;
}
