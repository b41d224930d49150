import { endianness } from "node:os";

const ARCHITECTURES: { readonly [name: string]: string } = {
  amd64: "x64",
  x86_64: "x64",
  "x86-64": "x64",
  aarch64: "arm64",
  arm64e: "arm64",
  i386: "ia32",
  i486: "ia32",
  i586: "ia32",
  i686: "ia32",
  386: "ia32",
  x86: "ia32",
  armv7l: "arm",
  armhf: "arm",
  loongarch64: "loong64",
  powerpc64le: "ppc64le",
};

const PLATFORMS: { readonly [name: string]: string } = {
  macos: "darwin",
  osx: "darwin",
  windows: "win32",
  win: "win32",
  solaris: "sunos",
};

/** An architecture as `process.arch` names it, from what `uname -m`, Go or Rust call it. */
export function archNamed(name: string): string {
  const lower = name.toLowerCase();
  return ARCHITECTURES[lower] ?? lower;
}

/** A platform as `process.platform` names it. */
export function platformNamed(name: string): string {
  const lower = name.toLowerCase();
  return PLATFORMS[lower] ?? lower;
}

/** The architecture of this machine, as {@link readExecutable} names it. */
export function ownArch(): string {
  return process.arch === "ppc64" && endianness() === "LE" ? "ppc64le" : process.arch;
}

/** Whether a machine starts programs of an architecture: its own, and the 32-bit one beside it. */
export function canRunArch(machine: string, program: string): boolean {
  if (machine === program) return true;
  return (
    (machine === "x64" && program === "ia32") ||
    (machine === "arm64" && program === "arm") ||
    (machine === "s390x" && program === "s390")
  );
}
