import { createHash } from "node:crypto";
import { bareTokensOf } from "../python/tokens.ts";

const FIRST = "# Written by `parlance dag emit`: do not edit. The next run would undo it.";
const MARK = /^# sha256 of what follows: ([0-9a-f]{32})$/m;

/** Where a file comes from. */
export interface Provenance {
  /** Of the program, with slashes, below its project. */
  readonly source: string;
  /** As the project's package.json has it. */
  readonly project: string | undefined;
  /** The words that make the file again, in the project's folder. */
  readonly command: readonly string[];
}

/** A whole file: a head that says where it comes from, and the Dag. */
export function withHead(python: string, { source, project, command }: Provenance): string {
  return [
    FIRST,
    madeFrom(source, project),
    "#",
    `#     ${command.map(shellWord).join(" ")}`,
    "#",
    `# sha256 of what follows: ${fingerprint(python)}`,
    "",
    python,
  ].join("\n");
}

function madeFrom(source: string, project: string | undefined): string {
  return comment(`# Made from ${source}${project === undefined ? "" : ` of ${project}`} by`);
}

/** What is in a file that is there. */
export interface WrittenFile {
  /** Whether `parlance dag emit` wrote it. */
  readonly isOurs: boolean;
  /** Whether somebody has changed more of it than a formatter would. */
  readonly isEdited: boolean;
  /** Without its head. */
  readonly python: string;
}

/** Reads a file back; line ends may be those of another system. */
export function readWritten(text: string): WrittenFile {
  const lines = text.replaceAll("\r\n", "\n");
  const mark = MARK.exec(lines);
  if (mark === null || !lines.startsWith(FIRST)) {
    return { isOurs: false, isEdited: false, python: lines };
  }
  const python = lines.slice(mark.index + mark[0].length).replace(/^\n+/, "");
  return { isOurs: true, isEdited: fingerprint(python) !== mark[1], python };
}

/** Whether a file of ours was made from this program. */
export function isMadeFrom(text: string, { source, project }: Provenance): boolean {
  return text.replaceAll("\r\n", "\n").includes(`\n${madeFrom(source, project)}\n`);
}

/** Whether two files say the same, but for what formatters change. */
export function isSamePython(one: string, other: string): boolean {
  return fingerprint(one) === fingerprint(other);
}

function fingerprint(python: string): string {
  const text = JSON.stringify(bareTokensOf(python));
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function shellWord(word: string): string {
  return comment(/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
}

/** Nothing in it ends the comment. */
function comment(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, "?");
}
