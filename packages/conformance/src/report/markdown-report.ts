import { escapeControls } from "@parlance/coordinator/text";
import { TIERS } from "../case/case-types.ts";
import type { SuiteReport } from "./suite-report.ts";

/** The verdict, the counts, the matrix and every failure, as Markdown. */
export function markdownReport(report: SuiteReport): string {
  return `${[...verdict(report), ...matrix(report), ...notApplicable(report), ...failures(report)].join("\n")}\n`;
}

function verdict({ passed, level, tiers, argv, kit, startedAt, seconds }: SuiteReport): string[] {
  return [
    `# Conformance: ${passed ? "passed" : "failed"} at the level ${level.toUpperCase()}`,
    "",
    `\`${inline(argv.join(" "))}\`, ${startedAt}, ${seconds.toFixed(0)} s, kit ${kit}`,
    "",
    "| tier | passed | failed | known to fail | not declared | n/a |",
    "| --- | --- | --- | --- | --- | --- |",
    ...TIERS.map((tier) => {
      const { passed: ok, failed, known, notDeclared, notApplicable } = tiers[tier];
      return `| ${tier.toUpperCase()} | ${ok} | ${failed} | ${known} | ${notDeclared} | ${notApplicable} |`;
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

/** Cases that could not be asked of this runtime, each with its reason. */
function notApplicable({ cases }: SuiteReport): string[] {
  const reasons = new Map<string, string>();
  for (const { id, reason } of cases) if (reason !== undefined) reasons.set(id, reason);
  if (reasons.size === 0) return [];
  const lines = Array.from(reasons, ([id, reason]) => `- \`${id}\`: ${inline(reason)}`);
  return ["## Not applicable", "", ...lines, ""];
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
