import { type CommandIo, write } from "./io.ts";
import { jsonText } from "./json-text.ts";
import { escapeControls } from "./terminal-text.ts";

/** A warning on stderr: a line of text, or with `--json` a line `{"warning":{"code","message"}}`. */
export async function warn(
  io: CommandIo,
  asJson: boolean,
  code: string,
  message: string,
): Promise<void> {
  const line = asJson
    ? jsonText({ warning: { code, message } })
    : `parlance: warning: ${escapeControls(message)}`;
  await write(io.stderr, `${line}\n`);
}
