// Values

export { decodeException } from "./exceptions/decode-exception.ts";
export {
  encodeException,
  JAVASCRIPT_MODULE,
  type StoredException,
} from "./exceptions/encode-exception.ts";
export { TaskFailure, type TaskFailureFacts } from "./exceptions/task-failure.ts";
export { readPickle } from "./pickle/read-pickle.ts";
export { decodeChildren, decodeGroup } from "./results-tree/decode-nodes.ts";
export { encodeChildren, encodeGroup, type NodeTuple } from "./results-tree/encode-nodes.ts";
export type { GroupNode, ResultNode, TaskNode } from "./results-tree/result-node.ts";
export { decodeStored } from "./serializers/decode-stored.ts";
export {
  createSerializer,
  type Serializer,
  type SerializerName,
} from "./serializers/serializer.ts";
export {
  SerializerError,
  type SerializerErrorCode,
  type SerializerErrorOptions,
} from "./serializers/serializer-error.ts";
export type { ValueOptions } from "./serializers/value-options.ts";
export { CalendarDate } from "./values/calendar-date.ts";
export { DateTime } from "./values/date-time.ts";
export { Decimal } from "./values/decimal.ts";
export type { ClockParts, DayParts } from "./values/iso-time.ts";
export { PythonFloat } from "./values/python-float.ts";
export { TimeOfDay } from "./values/time-of-day.ts";
export { Uuid } from "./values/uuid.ts";
