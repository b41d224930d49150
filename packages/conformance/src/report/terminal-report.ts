import { escapeControls } from "@parlance/coordinator/text";
import { TIERS } from "../case/case-types.ts";
import type { CaseReport, SuiteReport } from "./suite-report.ts";

const MAX_FINDINGS = 5;
const MAX_CHARACTERS = 400;

/** The failures and the counts of a run, for people at a terminal. What the runtime sent is escaped. */
export function terminalReport(report: SuiteReport): string {
  const lines: string[] = [];
  for (const one of report.cases) if (one.outcome === "failed") lines.push(...failure(one), "");
  for (const id of report.unexpectedPasses) {
    lines.push(`${id}: listed as known to fail, and passed; take it from the list`);
  }
  for (const { dimension, kind, cases } of report.disagreements) {
    lines.push(`${dimension}: ${kind.replaceAll("-", " ")}${cases[0] ? ` (${cases[0]})` : ""}`);
  }
  if (report.disagreements.length > 0 || report.unexpectedPasses.length > 0) lines.push("");
  for (const tier of TIERS) {
    const { passed, failed, known, notDeclared, notApplicable } = report.tiers[tier];
    const parts = [`${passed} passed`, `${failed} failed`];
    if (known > 0) parts.push(`${known} known to fail`);
    if (notDeclared > 0) parts.push(`${notDeclared} not declared`);
    if (notApplicable > 0) parts.push(`${notApplicable} not applicable`);
    lines.push(`${tier.toUpperCase().padEnd(6)} ${parts.join(", ")}`);
  }
  const verdict = report.passed ? "passed" : "FAILED";
  lines.push(
    `${verdict} at the level ${report.level.toUpperCase()}, in ${report.seconds.toFixed(1)} s`,
  );
  return `${lines.join("\n")}\n`;
}

function failure({ id, tier, version, title, findings, again }: CaseReport): string[] {
  const shown = findings.slice(0, MAX_FINDINGS).map(({ about, message }) => {
    const text = escapeControls(message);
    const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
    return `    ${about}: ${cut}`;
  });
  const more = findings.length - shown.length;
  return [
    `✗ ${id} (${tier.toUpperCase()}, ${version}): ${title}`,
    ...shown,
    ...(more > 0 ? [`    and ${more} more`] : []),
    `    again: ${escapeControls(again)}`,
  ];
}
