import type { HandlerTable } from "./attempt.ts";
import { ASSET_HANDLERS } from "./handlers/assets.ts";
import { CONNECTION_HANDLERS } from "./handlers/connections.ts";
import { CONTROL_HANDLERS } from "./handlers/control.ts";
import { HITL_HANDLERS } from "./handlers/hitl.ts";
import { RUN_HANDLERS } from "./handlers/runs.ts";
import { STATE_HANDLERS } from "./handlers/states.ts";
import { TASK_INSTANCE_HANDLERS } from "./handlers/task-instances.ts";
import { VARIABLE_HANDLERS } from "./handlers/variables.ts";
import { XCOM_HANDLERS } from "./handlers/xcoms.ts";

/** What is done for each message a task may send: every one of both schema versions. */
export const REQUEST_HANDLERS: HandlerTable = {
  ...CONTROL_HANDLERS,
  ...VARIABLE_HANDLERS,
  ...CONNECTION_HANDLERS,
  ...XCOM_HANDLERS,
  ...STATE_HANDLERS,
  ...TASK_INSTANCE_HANDLERS,
  ...RUN_HANDLERS,
  ...ASSET_HANDLERS,
  ...HITL_HANDLERS,
};
