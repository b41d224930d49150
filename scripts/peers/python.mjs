// Peers that are Python packages: each in a virtual environment of its own.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  MissingPeer,
  PEERS_FOLDER,
  REPOSITORY,
  run,
  runOrMiss,
  tellingLines,
} from "./commands.mjs";

// Fills an environment in 5 s where pip takes 24 s; pip does it where uv can't be had.
const UV_VERSION = "0.13.9";
const PYTHON_COMMANDS = ["python3.11", "python3.12", "python3.13", "python3"];

/**
 * @param {string} what for people, as in "Apache Airflow 3.3.2"
 * @param {string} requirementsFile every package pinned; named from the root of the repository
 */
export function pythonPeer(what, requirementsFile) {
  const requirements = join(REPOSITORY, requirementsFile);
  return {
    executable: "bin/python",
    pins: () => readPins(requirements),
    async install(folder, log) {
      if (process.platform === "win32") throw new MissingPeer(`${what} does not run on Windows`);
      const python = await findPython();
      await runOrMiss(python, ["-m", "venv", folder], "no virtual environment could be made");
      const venvPython = join(folder, "bin/python");
      const uv = await ensureUv(python, log);
      // Bytecode now: without it the first start of every process is seconds slower.
      if (uv !== undefined) {
        const target = ["--python", venvPython, "--compile-bytecode", "-r", requirements];
        const result = await run(uv, ["pip", "install", "--quiet", ...target]);
        if (result.code === 0) return;
        log(`uv failed, trying pip: ${tellingLines(result.output)}`);
      }
      await runOrMiss(
        venvPython,
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements],
        `${what} could not be installed`,
      );
    },
  };
}

/** A changed comment or order is no reason to install again. */
function readPins(requirements) {
  const lines = readFileSync(requirements, "utf8").split("\n");
  return lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .sort()
    .join("\n");
}

async function ensureUv(python, log) {
  const folder = join(PEERS_FOLDER, "uv");
  const uv = join(folder, "bin/uv");
  if ((await run(uv, ["--version"])).output.includes(UV_VERSION)) return uv;
  rmSync(folder, { recursive: true, force: true });
  const venv = await run(python, ["-m", "venv", folder]);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  const result =
    venv.code === 0 ? await run(join(folder, "bin/python"), [...pip, `uv==${UV_VERSION}`]) : venv;
  if (result.code === 0) return uv;
  log(`no uv, pip will do: ${tellingLines(result.output)}`);
  return undefined;
}

async function findPython() {
  const probe = "import sys, venv, ensurepip; print(*sys.version_info[:2])";
  const seen = [];
  for (const command of PYTHON_COMMANDS) {
    const { code, output } = await run(command, ["-c", probe]);
    const [major, minor] = output.trim().split(" ").map(Number);
    if (code === 0 && major === 3 && minor >= 11 && minor <= 13) return command;
    if (code !== undefined)
      seen.push(`${command}: ${code === 0 ? output.trim() : tellingLines(output)}`);
  }
  const found = seen.length > 0 ? ` (${seen.join("; ")})` : "";
  throw new MissingPeer(`no Python 3.11, 3.12 or 3.13 with venv on PATH${found}`);
}
