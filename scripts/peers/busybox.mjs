// busybox, whose `sh` starts bundles on Alpine, from Debian's (or Ubuntu's) package, unpacked.
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { aptDownload } from "./apt.mjs";
import { MissingPeer, requireLinuxX64, runOrMiss, unpackDebs } from "./commands.mjs";

const PACKAGE = "busybox-static";

/** The version is the one that the distribution has; it needs none of its libraries. */
export function busyboxPeer() {
  return {
    executable: "busybox",
    pins: () => PACKAGE,
    async install(folder, log) {
      requireLinuxX64("busybox");
      const debs = join(folder, "debs");
      const unpacked = join(folder, "unpacked");
      mkdirSync(debs);
      await aptDownload([PACKAGE], debs, log);
      await unpackDebs(debs, unpacked);
      const places = ["bin/busybox", "usr/bin/busybox"].map((place) => join(unpacked, place));
      const found = places.find((place) => existsSync(place));
      if (found === undefined) throw new MissingPeer(`${PACKAGE} brought no busybox`);
      renameSync(found, join(folder, "busybox"));
      for (const made of [debs, unpacked]) rmSync(made, { recursive: true });
      await runOrMiss(join(folder, "busybox"), ["true"], "busybox does not run here");
    },
  };
}
