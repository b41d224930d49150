import type { Command } from "commander";
import type { CheckCapabilitiesFlags } from "../capabilities/check-command.ts";
import type { RenderCapabilitiesFlags } from "../capabilities/render-command.ts";
import type { CommandIo } from "../io.ts";

/** `parlance capabilities check|render` */
export function registerCapabilities(program: Command, io: CommandIo): void {
  const group = program
    .command("capabilities")
    .summary("what a runtime declares to support: check it, show it")
    .description(
      "Check declarations of capabilities, and keep the tables made of them up to date.",
    );
  group
    .command("check")
    .summary("validate capabilities.yaml, and hold it against a bundle and a report")
    .description(
      "Validate declarations: exactly the known states and capabilities, versions, notes. Exit code " +
        "65 for a file that is not valid, 1 where it and the bundle or the report do not agree.",
    )
    .argument("<file...>", "one or more capabilities.yaml")
    .option(
      "--bundle <file>",
      "a bundle of this runtime: its schema version has to be the declared one",
    )
    .option(
      "--report <file>",
      "JSON report of a run of `parlance conformance` without --capabilities",
    )
    .option("--json", "print one JSON document")
    .action(async (files: string[], options: CheckCapabilitiesFlags) => {
      const { checkCapabilities } = await import("../capabilities/check-command.ts");
      await checkCapabilities(files, options, io);
    });
  group
    .command("render")
    .summary("write the matrix into README and docs")
    .description(
      "Write the matrix of each declaration between the lines <!-- capabilities:begin --> and " +
        "<!-- capabilities:end --> of its pages. Exit code 1 where a page was stale.",
    )
    .argument("<file...>", "one or more capabilities.yaml")
    .option(
      "--into <page>",
      "a page, relative to the file; README.md beside it when absent",
      collect,
      [],
    )
    .option("--check", "write nothing, only tell what is stale")
    .option("--print", "print the matrix instead")
    .option("--json", "print one JSON document")
    .action(async (files: string[], options: RenderCapabilitiesFlags) => {
      const { renderCapabilities } = await import("../capabilities/render-command.ts");
      await renderCapabilities(files, options, io);
    });
}

const collect = (value: string, all: readonly string[]): string[] => [...all, value];
