import type { HandlerTable } from "./attempt.ts";
import { ASSET_HANDLERS } from "./handlers/assets.ts";
import { CONNECTION_HANDLERS } from "./handlers/connections.ts";
import { CONTROL_HANDLERS } from "./handlers/control.ts";
import { RUN_HANDLERS } from "./handlers/runs.ts";
import { STATE_HANDLERS } from "./handlers/states.ts";
import { TASK_INSTANCE_HANDLERS } from "./handlers/task-instances.ts";
import { VARIABLE_HANDLERS } from "./handlers/variables.ts";
import { XCOM_HANDLERS } from "./handlers/xcoms.ts";

/**
 * What is done for each message a task may send. A message of the schema that has no entry is
 * answered with status 400: there is nobody who could start another Dag's run (TriggerDagRun), ask a
 * person (the HITL messages), parse Dags (DagFileParsingResult), or take a file descriptor over TCP
 * (ResendLoggingFD).
 */
export const REQUEST_HANDLERS: HandlerTable = {
  ...CONTROL_HANDLERS,
  ...VARIABLE_HANDLERS,
  ...CONNECTION_HANDLERS,
  ...XCOM_HANDLERS,
  ...STATE_HANDLERS,
  ...TASK_INSTANCE_HANDLERS,
  ...RUN_HANDLERS,
  ...ASSET_HANDLERS,
};
