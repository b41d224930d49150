import type { Direction } from "@parlance/protocol";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandIo } from "../io.ts";

const NOTATION_NOTE =
  '\nValues that JSON can\'t hold: {"$":"int","v":"…"} beyond ±(2^53-1); {"$":"float","v":"nan"|"inf"|\n' +
  '"-inf"}; {"$":"bytes","hex":"…"}; {"$":"datetime","iso":"…+00:00","aware":true} for a timestamp;\n' +
  '{"$":"ext","code":n,"hex":"…"}; {"$":"map","entries":[[key,value],…]} for keys that are not text,\n' +
  'or a text key "$". A float that is whole is printed as 1.0, and 1.0 is a float when encoded.';

/** `parlance wire decode|encode` */
export function registerWire(program: Command, io: CommandIo): void {
  const group = program
    .command("wire")
    .summary("frames of the comm socket: bytes to JSON and back")
    .description("Work with the frames that a coordinator and a runtime exchange.")
    .addHelpText("after", NOTATION_NOTE);
  registerDecode(group, io);
  registerEncode(group, io);
}

function registerDecode(group: Command, io: CommandIo): void {
  group
    .command("decode")
    .summary("frames -> one JSON line each")
    .description(
      "Read frames and print one JSON line each: offset (byte of the stream at which its length " +
        "prefix begins), length (of the payload, without the prefix), id, body, and carrier " +
        "(to-supervisor) or error (to-task). A bad frame ends the reading with exit code 65; the " +
        "frames before it are printed.",
    )
    .argument("[file]", "file with frames; stdin when absent or -")
    .addOption(directionOption())
    .option("--max-frame-bytes <n>", "longest payload let in", parseFrameLimit, 2 ** 32 - 1)
    .option("--json", "accepted; the output is JSON in any case, this makes errors JSON too")
    .addHelpText("after", NOTATION_NOTE)
    .action(async (file: string | undefined, options: DecodeFlags) => {
      const { decodeFrames } = await import("../wire/decode-frames.ts");
      await decodeFrames(io, { file, ...options });
    });
}

function registerEncode(group: Command, io: CommandIo): void {
  group
    .command("encode")
    .summary("JSON lines -> frames")
    .description(
      "Read JSON lines as `wire decode` prints them and write frames. Needed is id; body, carrier " +
        "and error are null when absent; offset and length are ignored. A bad line ends the " +
        "writing with exit code 65 and its number; the frames before it are written.",
    )
    .argument("[file]", "file with JSON lines; stdin when absent or -")
    .addOption(directionOption())
    .option("--json", "makes errors JSON; the output is bytes in any case")
    .addHelpText("after", NOTATION_NOTE)
    .action(async (file: string | undefined, options: EncodeFlags) => {
      const { encodeFrames } = await import("../wire/encode-frames.ts");
      await encodeFrames(io, { file, ...options });
    });
}

interface EncodeFlags {
  readonly direction: Direction;
}

interface DecodeFlags extends EncodeFlags {
  readonly maxFrameBytes: number;
}

function directionOption(): Option {
  return new Option("--direction <direction>", "whom the frames go to")
    .choices(["to-supervisor", "to-task"])
    .default("to-supervisor");
}

function parseFrameLimit(word: string): number {
  const limit = /^\d{1,10}$/.test(word) ? Number(word) : Number.NaN;
  if (limit >= 1 && limit <= 2 ** 32 - 1) return limit;
  throw new InvalidArgumentError("It has to be a number of bytes from 1 to 4294967295.");
}
