import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Whether there is somebody at a screen of this machine. */
export function hasScreen(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  if (env["CI"] !== undefined && env["CI"] !== "" && env["CI"] !== "false") return false;
  if (env["SSH_CONNECTION"] !== undefined) return false;
  if (platform === "darwin" || platform === "win32") return true;
  return [env["DISPLAY"], env["WAYLAND_DISPLAY"]].some((name) => name !== undefined && name !== "");
}

/**
 * Opens an address in the user's browser; nothing happens where there is none. The address goes
 * through a file that only the user can read: all users of a machine can see the words of a command.
 *
 * @param folder - a private one
 */
export async function openBrowser(url: string, folder: string): Promise<void> {
  const file = join(folder, "open.html");
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${url}"><title>Parlance</title>\n`;
  await writeFile(file, page, { mode: 0o600 });
  const target = pathToFileURL(file).href;
  const [command, ...args] = commandFor(process.platform, target);
  if (command === undefined) return;
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => {}); // the address is printed as well
  child.unref();
}

function commandFor(platform: NodeJS.Platform, target: string): readonly string[] {
  if (platform === "darwin") return ["open", target];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", target];
  return ["xdg-open", target];
}
