import {
  decodeRequestFrame,
  decodeResponseFrame,
  FrameDecoder,
  FrameError,
  KeyCache,
  type OrderedRequestFrame,
  type OrderedResponseFrame,
} from "@parlance/framing";
import type { Direction } from "@parlance/protocol";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { readInput } from "../read-input.ts";
import { Output } from "./output.ts";
import { thirdElement } from "./third-element.ts";
import { ValuePrinter } from "./value-printer.ts";

/** Flags of `parlance wire decode`. */
export interface DecodeFramesOptions {
  readonly direction: Direction;
  readonly maxFrameBytes: number;
  /** Stdin when absent or `-`. */
  readonly file?: string | undefined;
}

/**
 * Prints the frames of a file or of stdin as they arrive, one JSON line each.
 *
 * @throws CliError 65 with the code of the bad frame, after the frames before it were printed
 */
export async function decodeFrames(io: CommandIo, options: DecodeFramesOptions): Promise<void> {
  const decoder = new FrameDecoder({ maxFrameBytes: options.maxFrameBytes });
  const output = new Output(io);
  const printer = new FramePrinter(output, options.direction);
  try {
    for await (const chunk of readInput(io, options.file)) {
      for (const payload of decoder.push(chunk)) {
        printer.print(payload);
        await output.offer();
        if (output.isClosed) return;
      }
      await output.flush(); // whoever watches a live stream sees each frame at once
      if (decoder.failure !== undefined) throw decoder.failure;
      if (output.isClosed) return;
    }
    if (!io.signal.aborted) decoder.end();
  } catch (error) {
    await output.flush();
    throw error instanceof FrameError ? badFrame(error, printer) : error;
  }
}

/** Prints frames in a row, and knows at which byte the next one begins. */
class FramePrinter {
  readonly #output: Output;
  readonly #direction: Direction;
  readonly #values: ValuePrinter;
  readonly #keys: KeyCache = new KeyCache();
  #line = "";
  offset = 0;
  count = 0;

  constructor(output: Output, direction: Direction) {
    this.#output = output;
    this.#direction = direction;
    this.#values = new ValuePrinter((piece) => this.#emit(piece));
  }

  print(payload: Uint8Array): void {
    const options = { maps: "map", wrapFloats: true, keys: this.#keys } as const;
    const frame: OrderedRequestFrame | OrderedResponseFrame =
      this.#direction === "to-supervisor"
        ? decodeRequestFrame(payload, options)
        : decodeResponseFrame(payload, options);
    this.#emit(`{"offset":${this.offset},"length":${payload.byteLength},"id":`);
    this.#values.print(frame.id);
    this.#emit(',"body":');
    this.#values.print(frame.body);
    this.#emit(`,"${thirdElement(this.#direction)}":`);
    this.#values.print("error" in frame ? frame.error : frame.carrier);
    this.#emit("}\n");
    this.#endPiece();
    this.offset += 4 + payload.byteLength;
    this.count++;
  }

  #emit(piece: string): void {
    this.#line += piece;
    if (this.#line.length > 65_536) this.#endPiece();
  }

  #endPiece(): void {
    this.#output.add(this.#line);
    this.#line = "";
  }
}

function badFrame(error: FrameError, printer: FramePrinter): CliError {
  const where = `frame ${printer.count + 1}, at byte ${printer.offset}`;
  const what = error.message.replace(/^the frame at byte \d+ of the stream: /, "");
  const details = {
    offset: printer.offset,
    ...(error.payloadOffset === undefined ? {} : { payloadOffset: error.payloadOffset }),
  };
  const message = `${where}: ${what}`;
  return new CliError(error.code, message, ExitCode.badInput, details, { cause: error });
}
