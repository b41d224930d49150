import type { Direction } from "@parlance/protocol";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandIo } from "../io.ts";
import { waitSeconds } from "../option-values.ts";
import type { RecordOptions } from "../wire/record/record-command.ts";
import { wordsBehindDashes } from "./words-behind-dashes.ts";

const NOTATION_NOTE =
  '\nValues that JSON can\'t hold: {"$":"int","v":"…"} beyond ±(2^53-1); {"$":"float","v":"nan"|"inf"|\n' +
  '"-inf"}; {"$":"bytes","hex":"…"}; {"$":"datetime","iso":"…+00:00","aware":true} for a timestamp;\n' +
  '{"$":"ext","code":n,"hex":"…"}; {"$":"map","entries":[[key,value],…]} for keys that are not text,\n' +
  'or a text key "$". A float that is whole is printed as 1.0, and 1.0 is a float when encoded.';

/** `parlance wire decode|encode|record|replay` */
export function registerWire(program: Command, io: CommandIo): void {
  const group = program
    .command("wire")
    .summary("frames of the comm socket: bytes to JSON and back, recorded, played back")
    .description("Work with the frames that a coordinator and a runtime exchange.")
    .addHelpText("after", NOTATION_NOTE);
  registerDecode(group, io);
  registerEncode(group, io);
  registerRecord(group, io);
  registerReplay(group, io);
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

function registerRecord(group: Command, io: CommandIo): void {
  group
    .command("record")
    .summary("stand between a coordinator and a runtime, keep a transcript")
    .description(
      "Start a runtime in its stead, pass everything on both ways unchanged, and keep a transcript: " +
        "frames, log lines, output, signals and the end, one JSON line each, readable for you alone. " +
        "A coordinator starts this command as if it were the runtime, and appends --comm and --logs. " +
        "It ends as the runtime does. Secrets are replaced by placeholders before they are written.",
    )
    .usage("--out <file> [options] -- ARGV…")
    .argument("[argv...]", "the runtime's command line, behind --")
    .requiredOption(
      "--out <file>",
      "the transcript; {dag}, {run}, {task}, {map}, {try} and {pid} in its name are filled in",
    )
    .option("--keep-variables", "show the values of Variables with names that are not sensitive")
    .option(
      "--max-frame-bytes <n>",
      "longer frames pass, and are told without their content",
      parseFrameLimit,
      64 * 1024 * 1024,
    )
    .option("--json", "makes errors JSON")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  parlance run --dag d --task t -- parlance wire record --out t.ndjson -- ./my-runtime\n" +
        "  exec parlance wire record --out '/tmp/{dag}.{task}.{try}.ndjson' -- ./my-runtime \"$@\"\n" +
        "    (the second as a script that stock Airflow starts)",
    )
    .action(async (_words: string[], options: RecordOptions, command: Command) => {
      const { recordCommand } = await import("../wire/record/record-command.ts");
      await recordCommand(wordsBehindDashes(command), options, io);
    });
}

function registerReplay(group: Command, io: CommandIo): void {
  group
    .command("replay")
    .summary("play a transcript to a runtime, name the first difference")
    .description(
      "Start a runtime, send it what the coordinator of a transcript sent, and compare what it sends. " +
        "Exit code 0 when it is equal, 1 at the first difference, 65 for a transcript that can't be played. " +
        "Ids of requests, date-times and UUIDs are equal to any others, and a placeholder to anything of " +
        "its type; carriers, the order of keys and log lines do not count.",
    )
    .usage("<file> [options] -- ARGV…")
    .argument("<file>", "what wire record has written")
    .argument("[argv...]", "the runtime's command line, behind --")
    .option("--strict", "ids, date-times, UUIDs and carriers have to be the same, too")
    .option(
      "--timeout <seconds>",
      "how long to wait for each frame",
      waitSeconds({ mayBeZero: false }),
      30,
    )
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  parlance wire replay t.ndjson -- ./my-runtime")
    .action(async (file: string, _words: string[], options: ReplayFlags, command: Command) => {
      const { replayCommand } = await import("../wire/replay/replay-command.ts");
      await replayCommand(file, wordsBehindDashes(command), options, io);
    });
}

interface ReplayFlags {
  readonly strict?: boolean;
  readonly timeout: number;
  readonly json?: boolean;
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
