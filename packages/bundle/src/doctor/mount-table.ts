/** What is told of the file system that a path is on. */
export interface Mount {
  readonly point: string;
  /** Nothing on it can be started. */
  readonly isNoExec: boolean;
  /** Nothing on it can be changed. */
  readonly isReadOnly: boolean;
}

/** Mounts as Linux tells them; see {@link parseMountTable}. */
export type MountTable = readonly Mount[];

/**
 * Reads the text of `/proc/self/mountinfo`. Lines that make no sense are left out.
 */
export function parseMountTable(text: string): MountTable {
  const mounts: Mount[] = [];
  for (const line of text.split("\n")) {
    const fields = line.split(" ");
    const [point, options] = [fields[4], fields[5]];
    if (point === undefined || options === undefined || !point.startsWith("/")) continue;
    const own = options.split(",");
    const ofSystem = (fields.at(-1) ?? "").split(",");
    mounts.push({
      point: unescapeField(point),
      isNoExec: own.includes("noexec"),
      isReadOnly: own.includes("ro") || ofSystem.includes("ro"),
    });
  }
  return mounts;
}

/** The mount that holds a path whose links are resolved; of two at one place the later hides the other. */
export function mountOf(table: MountTable, realPath: string): Mount | undefined {
  let found: Mount | undefined;
  for (const mount of table) {
    const inside = mount.point === "/" ? "/" : `${mount.point}/`;
    if (realPath !== mount.point && !realPath.startsWith(inside)) continue;
    if (found === undefined || mount.point.length >= found.point.length) found = mount;
  }
  return found;
}

/** Blanks, line ends and backslashes are written in octal. */
function unescapeField(field: string): string {
  const bytes = field.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return bytes;
}
