import type { Executable, ProgramBuild } from "./executable.ts";
import { archNamed, platformNamed } from "./machine-names.ts";

/** Why a file should not be packed, or what to know about it. */
export interface ExecutableFinding {
  readonly code:
    | "compressed-executable"
    | "signed-executable"
    | "not-a-program"
    | "wrong-platform"
    | "wrong-architecture"
    | "bad-interpreter-line"
    | "no-interpreter-line"
    | "unknown-executable"
    | "ad-hoc-signature";
  /** What was found and what to do; no name of the file, no line ends. */
  readonly message: string;
  /** `refuse`: it would not run, or not as what it was; `note`: it may. */
  readonly weight: "refuse" | "note";
}

/** What the program is meant for; both as `process` names them, or by another usual name. */
export interface ExecutableTarget {
  /** E.g. `linux`, `darwin` or `macos`. */
  readonly platform?: string | undefined;
  /** E.g. `x64` or `amd64`. */
  readonly arch?: string | undefined;
  /** Whether the file has an execute bit; a text without one and without `#!` is no script. */
  readonly hasExecuteBit?: boolean | undefined;
}

/** All that speaks against packing an executable; empty when nothing does. */
export function checkExecutable(
  executable: Executable,
  target: ExecutableTarget = {},
): readonly ExecutableFinding[] {
  const { format, builds, compression } = executable;
  if (compression !== null) return [compressed(compression, format === "compressed")];
  if (format === "script") return checkScript(executable);
  if (format === "text") return [withoutInterpreter(target.hasExecuteBit === true)];
  if (format === "unknown") {
    return [
      note(
        "unknown-executable",
        "It is no ELF, Mach-O or PE program and no script that begins with #!: whether a system starts it can't be told.",
      ),
    ];
  }
  return [...checkKind(builds), ...checkTarget(builds, target), ...checkSignature(builds)];
}

function compressed(by: string, isArchive: boolean): ExecutableFinding {
  if (!isArchive) {
    return refuse(
      "compressed-executable",
      `It is compressed by ${by}, which takes what is appended for a part of its own: to compress or unpack it later drops the footer, and readers of its headers see a stub. Pack the program as it was before (upx -d).`,
    );
  }
  const jar = by === "zip" ? " A Java archive is run by Airflow's JavaCoordinator as it is." : "";
  return refuse(
    "compressed-executable",
    `It is a ${by} file, which no system starts. Unpack it, and pack the program inside.${jar}`,
  );
}

function checkScript({ interpreterLine: line }: Executable): readonly ExecutableFinding[] {
  if (line === null) return [];
  if (line.program === "") {
    return [refuse("bad-interpreter-line", "Nothing follows the #! of its first line.")];
  }
  if (!line.hasCr) return [];
  return [
    refuse(
      "bad-interpreter-line",
      `Its first line ends with CR LF, so a system looks for an interpreter whose name ends with CR and finds none. Write it with LF line ends (--lf does).`,
    ),
  ];
}

function withoutInterpreter(hasExecuteBit: boolean): ExecutableFinding {
  const message =
    "It is a text that does not begin with #!: a shell may run it, Airflow gets `Exec format error`. Give it an interpreter line, such as #!/usr/bin/env node.";
  return hasExecuteBit
    ? note("no-interpreter-line", message)
    : refuse("no-interpreter-line", message);
}

function checkKind(builds: readonly ProgramBuild[]): readonly ExecutableFinding[] {
  const [build] = builds;
  if (build === undefined || builds.some(({ kind }) => kind === "program")) return [];
  const names = { library: "a shared library", object: "an object file", core: "a memory image" };
  const name = names[build.kind as keyof typeof names];
  return [refuse("not-a-program", `It is ${name}, which can't be started; link a program of it.`)];
}

function checkTarget(
  builds: readonly ProgramBuild[],
  target: ExecutableTarget,
): readonly ExecutableFinding[] {
  const platform = target.platform === undefined ? undefined : platformNamed(target.platform);
  const arch = target.arch === undefined ? undefined : archNamed(target.arch);
  const fitting = builds.filter((build) => platform === undefined || build.platform === platform);
  const shown = describeBuilds(builds);
  if (fitting.length === 0) {
    return [refuse("wrong-platform", `It is built for ${shown}; asked for is ${platform}.`)];
  }
  if (arch === undefined || fitting.some((build) => build.arch === arch)) return [];
  return [refuse("wrong-architecture", `It is built for ${shown}; asked for is ${arch}.`)];
}

function checkSignature(builds: readonly ProgramBuild[]): readonly ExecutableFinding[] {
  const signed = builds.map(({ signature }) => signature).filter((one) => one !== null);
  const named = signed.find(({ adHoc }) => !adHoc);
  if (named?.scheme === "Authenticode") {
    return [
      refuse(
        "signed-executable",
        "It has an Authenticode signature, which covers the whole file: with bytes appended it is invalid, and where only signed programs may run, this one may not. A signature made after packing would bury the footer. Pack the unsigned program.",
      ),
    ];
  }
  if (named !== undefined) {
    return [
      refuse(
        "signed-executable",
        "It has a Mach-O code signature with a certificate: macOS still starts it with bytes appended, but codesign --verify and Gatekeeper refuse it, and signing again would bury the footer. Pack the program as the linker left it, with its ad-hoc signature.",
      ),
    ];
  }
  if (signed.length === 0) return [];
  return [
    note(
      "ad-hoc-signature",
      "It has an ad-hoc Mach-O signature, which covers its pages but not what is appended: macOS starts it; codesign --verify --strict complains, and codesign --force must not be run on it.",
    ),
  ];
}

/** E.g. `linux x64` or `darwin x64 and darwin arm64`. */
export function describeBuilds(builds: readonly ProgramBuild[]): string {
  return builds.map(({ platform, arch }) => `${platform} ${arch}`).join(" and ");
}

function refuse(code: ExecutableFinding["code"], message: string): ExecutableFinding {
  return { code, message, weight: "refuse" };
}

function note(code: ExecutableFinding["code"], message: string): ExecutableFinding {
  return { code, message, weight: "note" };
}
