import { constants } from "node:fs";
import { access, open, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { type ExecutableKind, readExecutableKind } from "./executable-header.ts";

/** @see diagnoseSpawnError */
export interface DiagnoseOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** PATH of the child, by which a bare name is looked up. */
  readonly path: string;
}

/** Says why the system refused to start a program (`errno`: ENOENT, EACCES, …), and what to do. */
export async function diagnoseSpawnError(
  errno: string | undefined,
  options: DiagnoseOptions,
): Promise<string | undefined> {
  const shortage = describeShortage(errno);
  if (shortage !== undefined) return shortage;
  const program = options.argv[0] ?? "";
  if (!(await isFolder(options.cwd))) return `the working folder ${options.cwd} does not exist`;
  const file = await findProgram(program, options);
  if (errno === "ENOENT") {
    if (file === undefined) return describeMissing(program);
    return (
      (await describeMissingInterpreter(file)) ?? `${file} exists, but the system can't load it`
    );
  }
  if (errno === "EACCES" && file === undefined && !program.includes("/")) {
    return `${describeMissing(program)}, and not all of these may be searched by this user`;
  }
  if (errno === "EACCES") return await describeForbidden(file ?? program);
  if (errno === "ETXTBSY") return `${program} is still open for writing: close it before the start`;
  if (errno === "E2BIG") return "the arguments or the environment are too large";
  return file === undefined ? undefined : await describeWrongSystem(file);
}

/** Says which limit was met, if it is one. */
export function describeShortage(errno: string | undefined): string | undefined {
  if (errno === "EMFILE" || errno === "ENFILE") {
    return "too many open files: raise the limit (ulimit -n) or run fewer tasks at once; each takes about 6";
  }
  return errno === "EAGAIN"
    ? "too many processes: raise the limit (ulimit -u) or run fewer tasks at once"
    : undefined;
}

/** Says whether a program that started and ended at once was made for another machine. */
export async function diagnoseEarlyExit(options: DiagnoseOptions): Promise<string | undefined> {
  const file = await findProgram(options.argv[0] ?? "", options);
  return file === undefined ? undefined : await describeWrongSystem(file);
}

function describeMissing(program: string): string {
  return program.includes("/")
    ? `${program} does not exist`
    : `no executable file "${program}" in the folders of the child's PATH`;
}

async function describeMissingInterpreter(file: string): Promise<string | undefined> {
  const kind = await readKind(file);
  if (kind.kind === "script") {
    if (kind.hasCarriageReturn) {
      return (
        `${file} has CR LF line ends: the system looks for an interpreter ` +
        `"${kind.interpreter}\\r"; save the file with LF line ends`
      );
    }
    return `${file} asks for the interpreter ${kind.interpreter}, which does not exist`;
  }
  if (kind.kind === "elf" && kind.loader !== undefined && !(await exists(kind.loader))) {
    return (
      `${file} needs the loader ${kind.loader}, which does not exist: ` +
      "it was built for another C library (musl or glibc) or architecture"
    );
  }
  return undefined;
}

async function describeForbidden(file: string): Promise<string> {
  try {
    const { mode } = await stat(file);
    if ((mode & constants.S_IFMT) === constants.S_IFDIR) return `${file} is a folder`;
    if ((mode & 0o111) === 0) return `${file} has no execute bit: chmod +x ${file}`;
  } catch {
    return `${file} can't be reached: a folder on the way may not be searched by this user`;
  }
  return (
    `${file} may not be executed: its execute bit is not set for this user, ` +
    "its interpreter is not executable, or its file system is mounted noexec"
  );
}

async function describeWrongSystem(file: string): Promise<string | undefined> {
  const kind = await readKind(file);
  if (kind.kind === "elf" && kind.architecture !== process.arch) {
    return `${file} was built for ${kind.architecture}, this machine is ${process.arch}`;
  }
  if (kind.kind === "elf" && process.platform !== "linux") return `${file} was built for Linux`;
  if (kind.kind === "windows" && process.platform !== "win32") {
    return `${file} was built for Windows`;
  }
  if (kind.kind === "macos" && process.platform !== "darwin") return `${file} was built for macOS`;
  return undefined;
}

/** As execvp looks a program up: a name with a slash as it is, a bare name in PATH. */
async function findProgram(program: string, options: DiagnoseOptions): Promise<string | undefined> {
  if (program === "") return undefined;
  if (program.includes("/") || isAbsolute(program)) {
    const file = resolve(options.cwd, program);
    return (await exists(file)) ? file : undefined;
  }
  for (const folder of options.path.split(delimiter)) {
    const file = join(resolve(options.cwd, folder), program);
    if (await exists(file)) return file;
  }
  return undefined;
}

async function readKind(file: string): Promise<ExecutableKind> {
  try {
    const handle = await open(file, "r");
    try {
      const head = Buffer.alloc(4096);
      const { bytesRead } = await handle.read(head, 0, head.length, 0);
      return readExecutableKind(head.subarray(0, bytesRead));
    } finally {
      await handle.close();
    }
  } catch {
    return { kind: "unknown" };
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
