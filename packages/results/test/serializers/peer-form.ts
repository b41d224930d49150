import {
  CalendarDate,
  DateTime,
  Decimal,
  encodeChildren,
  PythonFloat,
  type ResultNode,
  TaskFailure,
  TimeOfDay,
  Uuid,
} from "@parlance/results";

/** The form in which the golden files show Python values; it is told at the top of `celery_peer`. */
type PeerForm = unknown;
type Fields = Readonly<Record<string, unknown>>;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The peer's form of a value that was read, tuples as the lists that they become here. */
export function toPeerForm(value: unknown): PeerForm {
  if (typeof value === "bigint") return value === 2n ** 53n ? 2 ** 53 : { $int: String(value) };
  if (typeof value === "number") return number(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof PythonFloat) return value.value;
  if (Array.isArray(value)) return value.map(toPeerForm);
  if (value instanceof Uint8Array) return bytes(value);
  if (value instanceof Set) return { $set: [...value].map(toPeerForm) };
  if (value instanceof DateTime) return tagged("datetime", String(value));
  if (value instanceof CalendarDate) return tagged("date", String(value));
  if (value instanceof TimeOfDay) return tagged("time", String(value));
  if (value instanceof Decimal) return tagged("decimal", String(value));
  if (value instanceof Uuid) return tagged("uuid", { hex: value.hex });
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const pairs = entries.map(([key, item]) => [toPeerForm(key), toPeerForm(item)] as const);
  return pairs.every(([key]) => typeof key === "string")
    ? Object.fromEntries(pairs)
    : { $map: pairs };
}

/** What a golden file says was read, tuples and result objects as lists. */
export function asLists(form: PeerForm): PeerForm {
  if (typeof form !== "object" || form === null) return form;
  if (Array.isArray(form)) return form.map(asLists);
  const fields = form as Fields;
  if ("$tuple" in fields) return asLists(fields["$tuple"]);
  if ("$result" in fields) return asLists(fields["$result"]);
  return Object.fromEntries(Object.entries(fields).map(([key, item]) => [key, asLists(item)]));
}

/** The JavaScript value that is stored for what a golden file says was written. */
export function fromPeerForm(form: PeerForm): unknown {
  if (form === 2 ** 53) return 2n ** 53n; // the largest int that the peer writes as it is
  if (typeof form !== "object" || form === null) return form;
  if (Array.isArray(form)) return form.map(fromPeerForm);
  const fields = form as Fields;
  if ("$int" in fields) return BigInt(fields["$int"] as string);
  if ("$float" in fields) return new PythonFloat(float(fields["$float"] as string));
  if ("$tuple" in fields) return fromPeerForm(fields["$tuple"]);
  if ("$set" in fields) return new Set(fromPeerForm(fields["$set"]) as unknown[]);
  if ("$map" in fields) return new Map(fromPeerForm(fields["$map"]) as [unknown, unknown][]);
  if ("$exc" in fields) return exception(fields["$exc"] as Fields);
  if ("$result" in fields) return encodeChildren([toNode(fields["$result"])])?.[0];
  if ("__type__" in fields && Object.keys(fields).length === 2) return fromTag(fields);
  return new Map(Object.entries(fields).map(([key, item]) => [key, fromPeerForm(item)]));
}

/** A node of a result tree as `write` names it: an id, or an object with `id` or `group`. */
export function toNode(spec: unknown): ResultNode {
  if (typeof spec === "string") return { kind: "task", id: spec, parent: null };
  const { id, group, parent, results = [] } = spec as Fields;
  const above = parent === undefined ? null : toNode(parent);
  if (typeof group !== "string") return { kind: "task", id: id as string, parent: above };
  return {
    kind: "group",
    id: group,
    parent: above,
    members: (results as readonly unknown[]).map(toNode),
  };
}

function exception({ type, module, args }: Fields): TaskFailure {
  return new TaskFailure({
    type: type as string,
    module: module as string,
    args: fromPeerForm(args) as unknown[],
  });
}

function fromTag({ __type__: type, __value__: value }: Fields): unknown {
  const text = value as string;
  if (type === "datetime") return DateTime.parse(text);
  if (type === "date") return CalendarDate.parse(text);
  if (type === "time") return TimeOfDay.parse(text);
  if (type === "decimal") return new Decimal(text);
  if (type === "uuid") return new Uuid((value as { hex: string }).hex);
  return Uint8Array.from(Buffer.from(text, type === "base64" ? "base64" : "utf8"));
}

function number(value: number): PeerForm {
  if (Number.isFinite(value)) return value;
  return { $float: Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf" };
}

function float(text: string): number {
  if (text === "nan") return Number.NaN;
  return Number(text.replace("inf", "Infinity"));
}

function bytes(value: Uint8Array): PeerForm {
  try {
    return tagged("bytes", utf8.decode(value));
  } catch {
    return tagged("base64", Buffer.from(value).toString("base64"));
  }
}

function tagged(type: string, value: unknown): PeerForm {
  return { __type__: type, __value__: value };
}
