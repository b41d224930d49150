import type { ByteSink } from "./byte-sink.ts";
import { EncodeFault } from "./encode-fault.ts";

/** Up to this length, ASCII is copied here: quicker than a call into native code. */
const SHORT = 48;

/** `isWellFormed` is there from Node 20 on, but not in TypeScript's es2023 library. */
type WellFormedText = string & { isWellFormed(): boolean };

/** Writes one str value: header and UTF-8. Refuses lone surrogates, which UTF-8 has no form for. */
export function writeText(sink: ByteSink, text: string): void {
  if (text.length <= SHORT && writeShortAscii(sink, text)) return;
  if (!(text as WellFormedText).isWellFormed()) {
    throw new EncodeFault("the text has a lone surrogate, which UTF-8 cannot carry");
  }
  const length = Buffer.byteLength(text, "utf8");
  writeHeader(sink, length);
  const start = sink.reserve(length);
  sink.buffer.write(text, start, length, "utf8");
}

function writeHeader(sink: ByteSink, length: number): void {
  if (length < 0x20) sink.u8(0xa0 + length);
  else if (length < 0x100) sink.u8(0xd9).u8(length);
  else if (length < 0x1_0000) sink.u8(0xda).u16(length);
  else sink.u8(0xdb).u32(length);
}

/** Gives false, having written nothing, when the text has a character beyond ASCII. */
function writeShortAscii(sink: ByteSink, text: string): boolean {
  const length = text.length;
  sink.ensure(length + 2);
  const buffer = sink.buffer;
  const header = sink.length;
  const start = length < 0x20 ? header + 1 : header + 2;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x80) return false;
    buffer[start + index] = code;
  }
  if (length < 0x20) buffer[header] = 0xa0 + length;
  else {
    buffer[header] = 0xd9;
    buffer[header + 1] = length;
  }
  sink.reserve(start + length - header);
  return true;
}
