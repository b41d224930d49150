import { BundleError } from "@parlance/bundle";

/** How a script is changed before it is packed. */
export interface ScriptChanges {
  /** CR LF becomes LF, everywhere. */
  readonly lf?: boolean | undefined;
  /** The new first line, `#!` included. */
  readonly interpreter?: string | undefined;
}

/**
 * Changes a script's line ends or its interpreter.
 *
 * @throws BundleError `bad-executable` for what is no text
 */
export function rewriteScript(script: Buffer, changes: ScriptChanges, name: string): Buffer {
  if (script.includes(0)) {
    const message = `${name} holds bytes that no script has; only a script can be changed.`;
    throw new BundleError("bad-executable", message, { path: name });
  }
  // byte for byte, whatever the encoding
  let text = script.toString("latin1");
  if (changes.lf === true) text = text.replaceAll("\r\n", "\n");
  const line = changes.interpreter;
  if (line !== undefined) {
    const bytes = Buffer.from(line).toString("latin1");
    text = text.startsWith("#!") ? text.replace(/^[^\n]*/, () => bytes) : `${bytes}\n${text}`;
  }
  return Buffer.from(text, "latin1");
}
