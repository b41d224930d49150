import { type Answerers, answer, EMPTY } from "./answer.ts";

/** Messages about the try itself, but for the one that ends it. */
export const CONTROL_ANSWERERS: Answerers = {
  SkipDownstreamTasks: () => EMPTY,
  SetRenderedFields: () => EMPTY,
  SetRenderedMapIndex: () => EMPTY,
  SetExecutionTimeout: () => EMPTY,

  CreateHITLDetailPayload(body) {
    const {
      ti_id,
      options,
      subject,
      body: text,
      defaults,
      multiple,
      params,
      assigned_users,
    } = body;
    const detail = { ti_id, options, subject, body: text ?? null, defaults: defaults ?? null };
    const rest = { multiple: multiple ?? false, params: params ?? {}, assigned_users };
    return answer("HITLDetailRequestResult", { ...detail, ...rest });
  },
};
