import { encodeChildren, type ResultGroup, type ResultNode } from "@parlance/results";
import { ExitCode, usageError } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";
import { printLines } from "./print-document.ts";
import type { StoreFlags } from "./store/store-flags.ts";
import { withReadStore, withWriteStore } from "./store/with-store.ts";
import { nodesText } from "./text/format-meta.ts";
import { isoDateDone } from "./text/iso-date-done.ts";
import { parseNode, parseNodes } from "./values/parse-nodes.ts";

/** Flags of `parlance results group save`. */
export interface SaveGroupFlags extends StoreFlags {
  readonly members?: string;
  readonly parent?: string;
  readonly replace?: boolean;
  readonly createTables: boolean;
}

/** `parlance results group save` */
export async function saveGroupCommand(
  id: string,
  words: readonly string[],
  flags: SaveGroupFlags,
  io: CommandIo,
): Promise<void> {
  const members = membersOf(words, flags);
  const parent = flags.parent === undefined ? null : parseNode(flags.parent, "--parent");
  const { replace = false } = flags;
  await withWriteStore(flags, { createTables: flags.createTables }, io, async (store) => {
    await store.saveGroup(id, members, { parent, replace });
    if (flags.json === true) {
      return writeJson(io.stdout, { groupId: id, members: encodeChildren(members) ?? [] });
    }
    const count = `${members.length} ${members.length === 1 ? "member" : "members"}`;
    await write(io.stdout, `Saved ${escapeControls(id)}: ${count}\n`);
  });
}

/** `parlance results group get`: exit code 1 where there is none. */
export async function getGroupCommand(id: string, flags: StoreFlags, io: CommandIo): Promise<void> {
  await withReadStore(flags, { tables: ["group"] }, io, async (store) => {
    const group = await store.restoreGroup(id);
    if (flags.json === true) await writeJson(io.stdout, groupDocument(id, group));
    else await printLines(formatGroup(id, group), io);
    if (group === null) io.setExitCode(ExitCode.failed);
  });
}

/** `parlance results group delete` */
export async function deleteGroupCommand(
  id: string,
  flags: StoreFlags,
  io: CommandIo,
): Promise<void> {
  await withReadStore(flags, { tables: ["group"] }, io, async (store) => {
    const deleted = await store.deleteGroup(id);
    if (flags.json === true) return writeJson(io.stdout, { groupId: id, deleted });
    const what = deleted ? "Deleted" : "There was no group";
    await write(io.stdout, `${what} ${escapeControls(id)}\n`);
  });
}

function membersOf(words: readonly string[], flags: SaveGroupFlags): readonly ResultNode[] {
  if (flags.members === undefined) return words.map(taskNode);
  if (words.length === 0) return parseNodes(flags.members, "--members");
  throw usageError("Members are given as words or with --members, not both");
}

function taskNode(id: string): ResultNode {
  return { kind: "task", id, parent: null };
}

function groupDocument(groupId: string, group: ResultGroup | null): unknown {
  if (group === null) {
    return { groupId, exists: false, parent: null, members: null, dateDone: null };
  }
  const [parent = null] = group.parent === null ? [] : (encodeChildren([group.parent]) ?? []);
  const members = encodeChildren(group.members) ?? [];
  const dateDone = isoDateDone(group.dateDone, group.dateDoneText);
  return { groupId, exists: true, parent, members, dateDone };
}

function formatGroup(id: string, group: ResultGroup | null): readonly string[] {
  if (group === null) return [`There is no group ${escapeControls(id)}`];
  const parent = group.parent === null ? [] : [`parent    ${nodesText([group.parent])}`];
  const saved = isoDateDone(group.dateDone, group.dateDoneText);
  return [
    `group     ${escapeControls(id)}`,
    ...(saved === null ? [] : [`saved     ${saved}`]),
    ...parent,
    `members   ${group.members.length}`,
    ...group.members.map((member) => `  ${nodesText([member])}`),
  ];
}
