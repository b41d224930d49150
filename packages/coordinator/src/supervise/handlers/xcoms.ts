import { ExactJsonBytes } from "../../large-values/exact-json-bytes.ts";
import { passOn } from "../../large-values/lazy-xcom.ts";
import { answer, apiError, apiTooShort, EMPTY, notFound } from "../answers.ts";
import type { Handler, HandlerTable } from "../attempt.ts";
import { mapIndexOf, numberOf, offsetOf, seriesOf } from "../read-body.ts";

/**
 * XComs. A missing one is a result with null, as on stock; only an item of a sequence is reported as
 * not found. Count, item and slice see every map index, the unmapped -1 too.
 */
export const XCOM_HANDLERS: HandlerTable = {
  GetXCom: onRunOf(async (body, { store }) => {
    const ref = { ...seriesOf(body), mapIndex: mapIndexOf(body["map_index"]) };
    const found =
      body["include_prior_dates"] === true
        ? await store.xcoms.latest(ref)
        : await store.xcoms.get(ref);
    return answer("XComResult", {
      key: ref.key,
      value: found === undefined ? null : passOn(found),
    });
  }),

  GetXComCount: onRunOf(async (body, { store }) => {
    return answer("XComCountResponse", { len: await store.xcoms.count(seriesOf(body)) });
  }),

  GetXComSequenceItem: onRunOf(async (body, { store }) => {
    const series = seriesOf(body);
    const offset = offsetOf(body["offset"]) ?? 0;
    const found = await store.xcoms.item(series, offset);
    if (found !== undefined) return answer("XComSequenceIndexResult", { root: passOn(found) });
    const { dagId, runId, taskId, key } = series;
    const detail = { dag_id: dagId, run_id: runId, task_id: taskId, key, offset };
    return notFound("XCOM_NOT_FOUND", detail);
  }),

  GetXComSequenceSlice: onRunOf(async (body, { store }) => {
    const slice = {
      start: offsetOf(body["start"]),
      stop: offsetOf(body["stop"]),
      step: offsetOf(body["step"]) || null, // 0 is taken for none, as on stock
    };
    // What earlier runs have comes besides what this one has, as on stock.
    const priorRuns = body["include_prior_dates"] === true;
    const rows = await store.xcoms.slice(seriesOf(body), slice, { priorRuns });
    return answer("XComSequenceSliceResult", { root: rows.map((row) => row.value) });
  }),

  SetXCom: withKey(async (body, { store }) => {
    const length = numberOf(body["mapped_length"]);
    if (length !== null && length > MAX_MAP_LENGTH) return TOO_LONG;
    if (length !== null && length < 0) return apiError(400, "SetXCom: mapped_length is below 0");
    const ref = { ...seriesOf(body), mapIndex: mapIndexOf(body["map_index"]) };
    const facts = { mappedLength: length };
    const { value } = body;
    if (!(value instanceof ExactJsonBytes)) await store.xcoms.set(ref, value, facts);
    else if (store.xcoms.setExactJson === undefined) {
      await store.xcoms.set(ref, value.toValue(), facts);
    } else await store.xcoms.setExactJson(ref, value.bytes, facts);
    return EMPTY;
  }),

  DeleteXCom: withKey(async (body, { store }) => {
    await store.xcoms.delete({ ...seriesOf(body), mapIndex: mapIndexOf(body["map_index"]) });
    return EMPTY;
  }),
};

/** `[core] max_map_length` of an Airflow that was told nothing else. */
const MAX_MAP_LENGTH = 1_024;

const TOO_LONG = apiError(400, "Server returned error", {
  detail: {
    reason: "unmappable_return_value_length",
    message: "pushed value is too large to map as a downstream's dependency",
  },
});

function withKey(handler: Handler): Handler {
  return (body, attempt) =>
    body["key"] === "" ? apiTooShort("path", "key") : handler(body, attempt);
}

/** Loops (schema 2026-10-30) are not run here: there is no iteration before this one to read from. */
function onRunOf(handler: Handler): Handler {
  return withKey((body, attempt) =>
    body["previous_iteration"] === true
      ? apiError(
          400,
          `${String(body["type"])}: previous_iteration is not supported: this task runs in no loop`,
        )
      : handler(body, attempt),
  );
}
