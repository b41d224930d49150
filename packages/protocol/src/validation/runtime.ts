// What the generated modules in packages/protocol/validators import; nothing else does.
export { dateTimeKind, isDateTimeReceived, isDateTimeSent } from "./date-times.ts";
export { isDuration } from "./durations.ts";
export {
  dateTimeReceived,
  dateTimeSent,
  duration,
  field,
  fields,
  flag,
  float,
  freeMap,
  integer,
  json,
  jsonMap,
  text,
  uuid,
} from "./fields.ts";
export { issues } from "./issues.ts";
export { jsonFault, jsonMapFault } from "./json-value.ts";
export { kindOf, shown } from "./kind-of.ts";
export { unknownFields } from "./unknown-fields.ts";
export { isFreeMap, isInteger, isMap, isNumber, isUuid, numeric } from "./wire-kinds.ts";
