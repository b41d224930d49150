import { escapeControls } from "@parlance/coordinator/text";
import { TIERS } from "../case/case-types.ts";
import type { SuiteReport } from "./suite-report.ts";

/** The verdict, the counts, the matrix and every failure, as Markdown. */
export function markdownReport(report: SuiteReport): string {
  return `${[...verdict(report), ...matrix(report), ...failures(report)].join("\n")}\n`;
}

function verdict({ passed, level, tiers, argv, kit, startedAt, seconds }: SuiteReport): string[] {
  return [
    `# Conformance: ${passed ? "passed" : "failed"} at the level ${level.toUpperCase()}`,
    "",
    `\`${inline(argv.join(" "))}\`, ${startedAt}, ${seconds.toFixed(0)} s, kit ${kit}`,
    "",
    "| tier | passed | failed | known to fail | not declared |",
    "| --- | --- | --- | --- | --- |",
    ...TIERS.map((tier) => {
      const { passed: ok, failed, known, notDeclared } = tiers[tier];
      return `| ${tier.toUpperCase()} | ${ok} | ${failed} | ${known} | ${notDeclared} |`;
    }),
    "",
  ];
}

function matrix({ matrix: rows, disagreements }: SuiteReport): string[] {
  return [
    "## Capabilities",
    "",
    "| dimension | tier | declared | seen |",
    "| --- | --- | --- | --- |",
    ...rows.map(
      ({ dimension, tier, declared, seen }) =>
        `| ${dimension} | ${tier.toUpperCase()} | ${declared} | ${seen} |`,
    ),
    "",
    ...disagreements.map(
      ({ dimension, kind }) => `- **${dimension}**: ${kind.replaceAll("-", " ")}`,
    ),
    ...(disagreements.length > 0 ? [""] : []),
  ];
}

function failures({ cases, unexpectedPasses }: SuiteReport): string[] {
  const failed = cases.filter(({ outcome }) => outcome === "failed");
  return [
    ...(failed.length > 0 ? ["## Failures", ""] : []),
    ...failed.flatMap(({ id, version, tier, title, findings, again }) => [
      `### ${id} (${tier.toUpperCase()}, ${version})`,
      "",
      `${title}.`,
      "",
      ...findings.map(({ about, message }) => `- ${about}: \`${inline(message)}\``),
      "",
      "```sh",
      escapeControls(again),
      "```",
      "",
    ]),
    ...unexpectedPasses.map((id) => `- \`${id}\` is listed as known to fail, and passed.`),
  ];
}

/** What a runtime sent, as text inside of backticks. */
function inline(text: string): string {
  return escapeControls(text.replaceAll("`", "'")).slice(0, 500);
}
