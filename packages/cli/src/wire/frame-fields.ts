import type { FrameId, WireValue } from "@parlance/framing";
import type { Direction } from "@parlance/protocol";
import { emitJson } from "../json-text.ts";
import { thirdElement } from "./third-element.ts";
import { ValuePrinter } from "./value-printer.ts";

/** A decoded frame without its secrets, as transcripts and traces show it. */
export interface ShownFrame {
  readonly direction: Direction;
  readonly id: FrameId;
  readonly body: unknown;
  /** The carrier or the error. */
  readonly third: unknown;
  /** JSON pointers to placeholders. */
  readonly redacted: readonly string[];
}

/** Emits `"id":…,"body":…,"carrier":…` and, where something is a placeholder, `"redacted":[…]`. */
export function emitFrameFields(frame: ShownFrame, emit: (piece: string) => void): void {
  const values = new ValuePrinter(emit);
  emit('"id":');
  values.print(frame.id);
  emit(',"body":');
  values.print(frame.body as WireValue);
  emit(`,"${thirdElement(frame.direction)}":`);
  values.print(frame.third as WireValue);
  if (frame.redacted.length === 0) return;
  emit(',"redacted":');
  emitJson(frame.redacted, emit);
}
