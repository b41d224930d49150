import { describeBuilds } from "../executable/check-executable.ts";
import type { Executable, InterpreterLine } from "../executable/executable.ts";
import { canRunArch } from "../executable/machine-names.ts";
import { INTERPRETER_LINE_BYTES } from "../executable/read-script.ts";
import type { DoctorCode } from "./doctor-report.ts";
import { findOnPath, isProgram, realName } from "./search-path.ts";
import { shellQuote } from "./shell-quote.ts";

/** The machine that is to run the bundles. */
export interface Worker {
  readonly platform: string;
  readonly arch: string;
  /**
   * The folders of its `PATH`; undefined when it is another machine than this one, whose
   * interpreters can't be looked for.
   */
  readonly searchPath: readonly string[] | undefined;
}

/** Why a worker could not start an executable that Airflow would take. */
export interface StartProblem {
  readonly code: DoctorCode;
  readonly message: string;
  readonly mend: string;
  /** Options of `parlance bundle pack --repack` that mend it. */
  readonly repack?: string;
}

/** What would keep a worker from starting an executable; the first thing that does. */
export function checkStart(executable: Executable, worker: Worker): StartProblem | undefined {
  const { format, builds, interpreterLine } = executable;
  if (interpreterLine !== null) return checkInterpreter(interpreterLine, worker);
  if (format === "text") {
    return {
      code: "no-interpreter-line",
      message:
        "It is a text that does not begin with #!: Airflow takes it, and starting it fails with `Exec format error`.",
      mend: "Give it an interpreter line and pack it again.",
    };
  }
  if (format === "compressed") {
    const message = `It is a ${executable.compression} file: starting it fails with \`Exec format error\`.`;
    return { code: "not-a-program", message, mend: "Pack the program that is in it." };
  }
  if (format === "unknown") return undefined;
  if (!builds.some(({ kind }) => kind === "program")) {
    const message = "It is a library, an object file or a memory image, and can't be started.";
    return { code: "not-a-program", message, mend: "Pack the program." };
  }
  return checkBuilds(executable, worker, describeBuilds(builds));
}

function checkBuilds(
  { builds }: Executable,
  { platform, arch, searchPath }: Worker,
  shown: string,
): StartProblem | undefined {
  const here = builds.filter((build) => build.platform === platform);
  const mend = `Build it for ${platform} ${arch}, and pack it again.`;
  if (here.length === 0) {
    const message = `It is built for ${shown}, and the worker is ${platform}: starting it fails with \`Exec format error\`.`;
    return { code: "wrong-platform", message, mend };
  }
  const build = here.find((one) => canRunArch(arch, one.arch));
  if (build === undefined) {
    const message = `It is built for ${shown}, and the worker is ${arch}: starting it fails with \`Exec format error\` unless an emulator is set up.`;
    return { code: "wrong-architecture", message, mend };
  }
  const { loader } = build;
  // macOS keeps its loader's name, and the loader, to itself
  if (loader === null || platform === "darwin" || searchPath === undefined || isProgram(loader)) {
    return undefined;
  }
  const libc = loader.includes("musl") ? " (of musl, as on Alpine)" : "";
  return {
    code: "missing-interpreter",
    message: `Its dynamic loader ${loader}${libc} is not on this machine: starting it fails with \`No such file or directory\`, which is said of the bundle.`,
    mend: "Link it statically (Go: CGO_ENABLED=0), or build it for the C library of the worker.",
  };
}

function checkInterpreter(line: InterpreterLine, worker: Worker): StartProblem | undefined {
  if (worker.platform === "win32") {
    const message = "It is a script, and Windows starts no scripts by their first line.";
    return { code: "wrong-platform", message, mend: "Run it on a worker with Linux or macOS." };
  }
  if (line.hasCr) {
    return {
      code: "cr-in-interpreter-line",
      message: `Its first line ends with CR LF: the system takes the CR for a part of the name ${JSON.stringify(lastWord(line))} and starts nothing.`,
      mend: "Write it with LF line ends and pack it again; --lf does both.",
      repack: "--lf",
    };
  }
  if (line.program === "") {
    const message = "Nothing follows the #! of its first line: starting it fails.";
    return { code: "bad-interpreter-line", message, mend: "Name its interpreter." };
  }
  if (worker.platform === "linux" && line.bytes >= INTERPRETER_LINE_BYTES) {
    const message = `Its first line has ${line.bytes} bytes; Linux reads ${INTERPRETER_LINE_BYTES} and starts nothing, or something else.`;
    return { code: "bad-interpreter-line", message, mend: "Use a shorter path." };
  }
  if (worker.searchPath === undefined) return undefined;
  return checkProgram(line, worker.searchPath, worker.platform);
}

function checkProgram(
  line: InterpreterLine,
  searchPath: readonly string[],
  platform: string,
): StartProblem | undefined {
  const { program, argument } = line;
  if (!isProgram(program)) {
    const name = program.slice(program.lastIndexOf("/") + 1);
    return missing(line, findOnPath(name, searchPath), name);
  }
  if (!/(^|\/)env$/.test(program) || argument === null) return undefined;
  const split = /^-S\s*|^--split-string[= ]/.exec(argument);
  if (split === null) {
    if (argument.startsWith("-")) return undefined;
    const [first = argument] = argument.split(/[ \t]+/);
    // macOS splits the words itself
    if (first === argument || platform === "darwin") return missingByEnv(first, searchPath);
    return {
      code: "env-arguments",
      message: `Linux hands ${JSON.stringify(argument)} to env as one word, so that env looks for a program of that name.`,
      mend: "Use env -S, which splits it.",
      repack: interpreterOption(`${program} -S ${argument}`),
    };
  }
  const words = argument.slice(split[0].length).split(/[ \t]+/);
  const name = words.find((word) => !/^\w+=/.test(word) && !word.startsWith("-"));
  if (realName(program) === "busybox") {
    const command = words.filter((word) => !word.startsWith("-"));
    return {
      code: "env-arguments",
      message: `${program} is of busybox here, whose env has no -S.`,
      mend: "Name the interpreter by its path, or start it from a /bin/sh script.",
      ...(command.length === 1 ? { repack: interpreterOption(`${program} ${command[0]}`) } : {}),
    };
  }
  return name === undefined ? undefined : missingByEnv(name, searchPath);
}

function missing(
  { program: path, argument }: InterpreterLine,
  instead: string | undefined,
  name: string,
): StartProblem {
  const message = `Its interpreter ${path} is not on this machine: starting it fails with \`No such file or directory\`, which is said of the bundle.`;
  if (instead === undefined) {
    return { code: "missing-interpreter", message, mend: `Install ${name} at ${path}.` };
  }
  return {
    code: "missing-interpreter",
    message,
    mend: `There is ${instead}: have env find it, or make ${path} a link to it.`,
    repack: interpreterOption(
      argument === null ? `/usr/bin/env ${name}` : `/usr/bin/env -S ${name} ${argument}`,
    ),
  };
}

function interpreterOption(line: string): string {
  return `--interpreter ${shellQuote(`#!${line}`)}`;
}

function missingByEnv(name: string, searchPath: readonly string[]): StartProblem | undefined {
  if (findOnPath(name, searchPath) !== undefined) return undefined;
  return {
    code: "missing-interpreter",
    message: `env finds no ${name} on the PATH (${searchPath.join(":")}): the bundle ends with exit code 127 before it connects.`,
    mend: `Install ${name}, or put its folder on the PATH of the Airflow worker, which may differ from this one.`,
  };
}

function lastWord({ text }: InterpreterLine): string {
  return `${text.slice(text.lastIndexOf(" ") + 1)}\r`;
}
