/** How a file is built, or what else it is. */
export type ExecutableFormat =
  | "elf"
  | "mach-o"
  | "pe"
  | "script"
  | "text"
  | "compressed"
  | "unknown";

/** One program in a file: a fat Mach-O holds several, other formats one. */
export interface ProgramBuild {
  /** As `process.platform` names it: `linux`, `darwin`, `win32`, `freebsd`, …; `unknown` else. */
  readonly platform: string;
  /** As `process.arch` names it: `x64`, `arm64`, `ia32`, …; `unknown (0x…)` else. */
  readonly arch: string;
  readonly bits: 32 | 64;
  /** The dynamic loader that the system starts in its place; null when it is linked statically. */
  readonly loader: string | null;
  /** `library`, `object` and `core` can't be started. */
  readonly kind: "program" | "library" | "object" | "core";
  /** Who signed it, in words; null when nobody did. */
  readonly signature: ProgramSignature | null;
}

/** A signature that appended bytes make invalid, in words; `adHoc` names nobody. */
export interface ProgramSignature {
  readonly scheme: "Mach-O code signature" | "Authenticode";
  readonly adHoc: boolean;
}

/** The first line of a script: what the system starts with the script as its argument. */
export interface InterpreterLine {
  /** Without `#!` and the line end. */
  readonly text: string;
  readonly program: string;
  /** All after the program's name, in one word, as the system hands it over; null for none. */
  readonly argument: string | null;
  /** The line ends with CR LF: the system takes the CR for a part of the last word. */
  readonly hasCr: boolean;
  /** Bytes up to the line end, `#!` counted. */
  readonly bytes: number;
}

/** What a file is, as its bytes tell. */
export interface Executable {
  readonly format: ExecutableFormat;
  /** Empty for all but `elf`, `mach-o` and `pe`. */
  readonly builds: readonly ProgramBuild[];
  /** Of a script; null for all else. */
  readonly interpreterLine: InterpreterLine | null;
  /** E.g. `UPX` or `gzip`; null when it is not compressed as a whole. */
  readonly compression: string | null;
}

/** Gives the bytes at a place, fewer where the file ends. */
export type ReadBytes = (offset: number, length: number) => Buffer;
