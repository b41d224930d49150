import type { Command } from "commander";
import type { CommandIo } from "../io.ts";
import type { SaveGroupFlags } from "../results/group-commands.ts";
import type { StoreFlags } from "../results/store/store-flags.ts";
import { addStoreOptions } from "./results-options.ts";

/** `parlance results group save|get|delete` */
export function registerGroup(results: Command, io: CommandIo): void {
  const group = results.command("group").description("saved groups of tasks (GroupResult)");
  registerSave(group, io);
  registerGet(group, io);
  registerDelete(group, io);
}

function registerSave(group: Command, io: CommandIo): void {
  const command = group
    .command("save")
    .summary("save which tasks belong to a group")
    .description(
      "Save which tasks belong to a group. A group is saved once: a second time is an error.",
    )
    .argument("<id>", "the group id")
    .argument("[members...]", "task ids of its members, in order")
    .option(
      "--members <json>",
      "the members as task ids or Celery's own tuples, for groups in groups",
    )
    .option("--parent <id>", "the task that started it, or Celery's own tuple of it")
    .option("--replace", "write over a group that was saved under this id")
    .option("--no-create-tables", "fail where the tables are missing");
  addStoreOptions(command)
    .option("--json", "print {groupId, members}")
    .action(async (id: string, members: string[], flags: SaveGroupFlags) => {
      const { saveGroupCommand } = await import("../results/group-commands.ts");
      await saveGroupCommand(id, members, flags, io);
    });
}

function registerGet(group: Command, io: CommandIo): void {
  const command = group
    .command("get")
    .summary("the members of a saved group")
    .description("Print a saved group. Exit code 1 when there is none.")
    .argument("<id>", "the group id");
  addStoreOptions(command)
    .option("--json", "print {groupId, exists, parent, members, dateDone}")
    .action(async (id: string, flags: StoreFlags) => {
      const { getGroupCommand } = await import("../results/group-commands.ts");
      await getGroupCommand(id, flags, io);
    });
}

function registerDelete(group: Command, io: CommandIo): void {
  const command = group
    .command("delete")
    .summary("remove a saved group; its tasks stay")
    .description("Remove a saved group; the rows of its tasks stay. No group is no error.")
    .argument("<id>", "the group id");
  addStoreOptions(command)
    .option("--json", "print {groupId, deleted}")
    .action(async (id: string, flags: StoreFlags) => {
      const { deleteGroupCommand } = await import("../results/group-commands.ts");
      await deleteGroupCommand(id, flags, io);
    });
}
