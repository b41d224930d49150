import { Extension, Float, Timestamp, type WireValue } from "@parlance/framing";
import { toHex } from "@parlance/test-kit";

/** A decoded value as the case files write it. */
export function toNotation(value: WireValue): unknown {
  if (typeof value === "bigint") return { $: "int", v: String(value) };
  if (typeof value === "number") return numberNotation(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(toNotation);
  if (value instanceof Uint8Array) return { $: "bytes", hex: toHex(value) };
  if (value instanceof Timestamp) return { $: "datetime", iso: value.toISOString(), aware: true };
  if (value instanceof Extension) return { $: "ext", code: value.type, hex: toHex(value.data) };
  if (value instanceof Float) return { $: "float", v: String(value.value) };
  if (value instanceof Map) {
    const entries = [...value].map(([key, item]) => [toNotation(key), toNotation(item)]);
    return { $: "map", entries };
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toNotation(item)]));
}

function numberNotation(value: number): unknown {
  if (Number.isNaN(value)) return { $: "float", v: "nan" };
  if (Number.isFinite(value)) return value;
  return { $: "float", v: value > 0 ? "inf" : "-inf" };
}
