// Not from the index: this is loaded at every start of `parlance`.
import { SCHEMA_VERSIONS } from "@parlance/protocol/schema-version";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { ConformanceFlags } from "../conformance/conformance-command.ts";
import type { CommandIo } from "../io.ts";
import { wordsBehindDashes } from "./words-behind-dashes.ts";

/** `parlance conformance` */
export function registerConformance(program: Command, io: CommandIo): void {
  program
    .command("conformance")
    .summary("hold a runtime in any language against the protocol")
    .description(
      "Run the cases of the conformance kit against a program that has registered the handlers of " +
        "the contract in the Dag `conformance`. Exit code 0 when no case of the asked level fails, " +
        "1 when one does, also when the program never says a word.",
    )
    .usage("[options] -- ARGV…")
    .argument("[argv...]", "the runtime's command line, behind --")
    .addOption(
      new Option("--level <tier>", "cases of this tier and the more binding ones decide")
        .choices(["must", "should", "may"])
        .default("must"),
    )
    .option("--case <id>", "only this case, or those below it; repeat for several", collect, [])
    .addOption(
      new Option("--schema-version <version>", "only this schema version").choices(SCHEMA_VERSIONS),
    )
    .option(
      "--capabilities <file>",
      "a capabilities.yaml: optional cases of what it does not declare are left out",
    )
    .option("--all", "run the cases of undeclared dimensions too; what fails there is no failure")
    .option("--bundle <file>", "the runtime's bundle, where it is no word of ARGV")
    .option("--known-failing <file>", "ids of cases that may fail; one that passes is a failure")
    .addOption(
      new Option("--report <format>", "write the report in this form").choices([
        "json",
        "md",
        "html",
      ]),
    )
    .option("--out <file>", "where to write the report; stdout when absent")
    .option("--jobs <n>", "cases at the same time; two a processor when absent", parseJobs)
    .option("--list", "print the cases, run nothing")
    .option("--json", "print the report as one JSON document")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  parlance conformance -- ./my-runtime\n" +
        "  parlance conformance --level may --report html --out report.html -- java -jar my.jar\n" +
        "  parlance conformance --case logs/early -- ./my-runtime",
    )
    .action(async (_words: string[], options: ConformanceFlags, command: Command) => {
      const { conformanceCommand } = await import("../conformance/conformance-command.ts");
      await conformanceCommand(wordsBehindDashes(command), options, io);
    });
}

const collect = (value: string, all: readonly string[]): string[] => [...all, value];

function parseJobs(text: string): number {
  const jobs = Number(text);
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= 64) return jobs;
  throw new InvalidArgumentError("expected a whole number from 1 to 64");
}
