/**
 * Fields of a task that Airflow 3.4.0b2 takes as they stand; a value under any other key has to be in
 * the encoding of {@link ../encode.ts}.
 */
export const PLAIN_FIELDS: ReadonlySet<string> = new Set(
  `_logger_name _needs_expansion _task_display_name allow_nested_operators depends_on_past do_xcom_push
  returns_dag_result doc doc_json doc_md doc_rst doc_yaml email email_on_failure email_on_retry executor
  ignore_first_depends_on_past is_setup is_teardown map_index_template max_active_tis_per_dag
  max_active_tis_per_dagrun multiple_outputs has_on_execute_callback has_on_failure_callback
  has_on_retry_callback has_on_skipped_callback has_on_success_callback on_failure_fail_dagrun owner pool
  pool_slots priority_weight queue render_template_as_native_obj retries run_as_user start_from_trigger
  task_type template_ext template_fields_renderers trigger_rule ui_color ui_fgcolor wait_for_downstream
  wait_for_past_depends_before_skipping python_callable_name label`.split(/\s+/),
);
