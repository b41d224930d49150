// Chromium for the tests in a browser: the machine's own, else Debian's (or Ubuntu's) packages
// unpacked with the libraries and fonts that this machine lacks. Nothing of the system changes.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aptDownload, distribution } from "./apt.mjs";
import {
  MissingPeer,
  PEERS_FOLDER,
  requireLinuxX64,
  run,
  tellingLines,
  unpackDebs,
} from "./commands.mjs";
import { writeLauncher } from "./launcher.mjs";

// A page without any font has no text; signs come from the first of these two.
const PACKAGES = ["chromium", "fonts-dejavu-core", "fonts-liberation"];
const INSTALLED = "/usr/lib/chromium/chromium";
const LIBRARIES = "usr/lib/x86_64-linux-gnu";

/**
 * `bin/chromium`, which takes Chromium's own arguments. The version is the one that the
 * distribution has: a browser is to be the newest that its users have.
 */
export function chromiumPeer() {
  return {
    executable: "bin/chromium",
    // An installed one that comes or goes makes another peer of it.
    pins: () => [...PACKAGES, installed() ?? distribution()].join("\n"),
    async install(folder, log) {
      const own = installed();
      if (own === undefined) await unpackChromium(folder, log);
      else writeLauncher(folder, "chromium", own, {});
      await tryChromium(join(folder, "bin/chromium"));
    },
  };
}

/** The browser itself of Debian's package, where it is installed: its wrapper adds flags of its own. */
function installed() {
  return existsSync(INSTALLED) ? INSTALLED : undefined;
}

async function unpackChromium(folder, log) {
  requireLinuxX64("Chromium");
  const debs = join(folder, "debs");
  const root = join(folder, "root");
  mkdirSync(debs);
  await aptDownload(PACKAGES, debs, log, { withMissing: true });
  await unpackDebs(debs, root);
  rmSync(debs, { recursive: true });
  for (const left of ["doc", "man", "icons", "locale", "lintian", "bug"]) {
    rmSync(join(root, "usr/share", left), { recursive: true, force: true });
  }
  const browser = join(root, INSTALLED);
  if (!existsSync(browser)) throw new MissingPeer("Debian's packages brought no Chromium");
  writeLauncher(folder, "chromium", browser, {
    env: {
      LD_LIBRARY_PATH: libraryFolders(join(root, LIBRARIES)).join(":"),
      XDG_CACHE_HOME: join(folder, "cache"),
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
    },
  });
  writeFileSync(join(folder, "fonts.conf"), fontsConfiguration());
  if (readdirSync(join(root, "usr/share/fonts")).length === 0) {
    throw new MissingPeer("Debian's packages brought no font");
  }
}

/** Some packages keep libraries of their own a folder deeper. */
function libraryFolders(top) {
  const below = readdirSync(top, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const folders = below.map(({ name }) => join(top, name));
  return [
    top,
    ...folders.filter((folder) => readdirSync(folder).some((name) => /^lib.+\.so/.test(name))),
  ];
}

/** The machine's fonts and ours. `prefix="relative"`: the folder may be brought to another checkout. */
function fontsConfiguration() {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>/usr/share/fonts</dir>
<dir prefix="relative">root/usr/share/fonts</dir>
<cachedir prefix="xdg">fontconfig</cachedir>
<alias><family>sans-serif</family><prefer><family>Liberation Sans</family></prefer></alias>
<alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;
}

/** It starts, has its libraries, and draws a page. */
async function tryChromium(executable) {
  const profile = join(PEERS_FOLDER, `chromium-try-${process.pid}`);
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
  const page = "data:text/html,<p>parlance</p>";
  try {
    const args = [...flags, `--user-data-dir=${profile}`, "--dump-dom", page];
    const { code, output } = await run(executable, args);
    if (code !== 0 || !output.includes("<p>parlance</p>")) {
      throw new MissingPeer(`Chromium does not run here: ${tellingLines(output)}`);
    }
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
