import { createHash } from "node:crypto";
import { TIERS } from "../case/case-types.ts";
import { REPORT_STYLE } from "./report-style.ts";
import type { CaseReport, FindingReport, FrameReport, SuiteReport } from "./suite-report.ts";

/**
 * One page that needs nothing else, to send to a colleague. What the runtime sent is text in it, never markup: the
 * page has no script at all, and its content policy allows nothing but its own style.
 */
export function htmlReport(report: SuiteReport): string {
  const verdict = report.passed ? "passed" : "failed";
  const hash = createHash("sha256").update(REPORT_STYLE).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conformance ${verdict}: ${plain(report.argv.join(" "))}</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<header>
<h1>Conformance: <span class="${verdict}">${verdict}</span> at the level ${report.level.toUpperCase()}</h1>
<p><code>${plain(report.argv.join(" "))}</code></p>
<p>${plain(report.startedAt)}, ${report.seconds.toFixed(0)} s, kit ${plain(report.kit)}</p>
</header>
<main>
${tiers(report)}
${failures(report)}
${matrix(report)}
${allCases(report)}
</main>
</body>
</html>
`;
}

function tiers(report: SuiteReport): string {
  const rows = TIERS.map((tier) => {
    const { passed, failed, known, notDeclared, notApplicable } = report.tiers[tier];
    const state = failed > 0 ? "failed" : "passed";
    return `<tr><th scope="row">${tier.toUpperCase()}</th><td>${passed}</td><td class="${failed > 0 ? state : ""}">${failed}</td><td>${known}</td><td>${notDeclared}</td><td>${notApplicable}</td></tr>`;
  });
  return `<section aria-labelledby="by-tier"><h2 id="by-tier">By tier</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Verdict by tier"><table><thead><tr><th scope="col">Tier</th><th scope="col">passed</th><th scope="col">failed</th><th scope="col">known to fail</th><th scope="col">not declared</th><th scope="col">n/a</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div></section>`;
}

function failures({ cases, unexpectedPasses }: SuiteReport): string {
  const failed = cases.filter(({ outcome }) => outcome === "failed");
  if (failed.length === 0 && unexpectedPasses.length === 0) return "";
  const passes = unexpectedPasses.map(
    (id) => `<li><code>${plain(id)}</code> is listed as known to fail, and passed</li>`,
  );
  return `<section aria-labelledby="failures"><h2 id="failures">Failures</h2>
${passes.length > 0 ? `<ul>${passes.join("")}</ul>` : ""}
${failed.map(failure).join("\n")}</section>`;
}

function failure(one: CaseReport): string {
  return `<article><h3>${plain(one.id)} <small>${one.tier.toUpperCase()}, ${one.version}</small></h3>
<p>${plain(one.title)}.</p>
${one.findings.map(finding).join("\n")}
<p>Run it again: <code>${plain(one.again)}</code></p>
${exchange(one)}
${records(one)}</article>`;
}

function finding({ about, message, expected, seen, frame, wanted }: FindingReport): string {
  const sides =
    expected === undefined
      ? `<p class="message">${plain(message)}</p>`
      : `<dl class="sides"><div><dt>expected</dt><dd>${plain(expected)}</dd></div><div><dt>seen</dt><dd>${plain(seen ?? "")}</dd></div></dl>`;
  const compared = wanted === undefined ? "" : bodies(wanted, frame);
  return `<div class="finding"><h4>${plain(about)}</h4>${sides}${compared}${frame === undefined ? "" : frameView(frame)}</div>`;
}

/** The body that was expected beside the one that came, the keys of both in the order of the pattern. */
function bodies(wanted: unknown, frame: FrameReport | undefined): string {
  const body =
    frame === undefined ? "no such frame" : pretty(inOrderOf(wanted, frame.body ?? null));
  return `<dl class="sides"><div><dt>expected frame</dt><dd>${plain(pretty(wanted))}</dd></div><div><dt>seen frame</dt><dd>${plain(body)}</dd></div></dl>`;
}

function inOrderOf(wanted: unknown, body: unknown): unknown {
  if (!isMap(wanted) || !isMap(body)) return body;
  const first = Object.keys(wanted).filter((key) => Object.hasOwn(body, key));
  return Object.fromEntries(
    [...new Set([...first, ...Object.keys(body)])].map((key) => [key, body[key]]),
  );
}

function isMap(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function exchange({ frames = [] }: CaseReport): string {
  if (frames.length === 0) return "<p>No frame crossed the link.</p>";
  return `<details><summary>${frames.length} frames</summary>${frames.map(frameView).join("\n")}</details>`;
}

function frameView(frame: FrameReport): string {
  const { direction, atMs, id, body, third, hex, bytes, fault } = frame;
  const arrow = direction === "to-task" ? "supervisor → task" : "task → supervisor";
  const shown =
    fault === undefined ? JSON.stringify([id, body ?? null, third ?? null], null, 1) : fault;
  const cut = hex.length / 2 < bytes ? ` (the first ${hex.length / 2} of them)` : "";
  return `<figure class="${direction}"><figcaption>${arrow}, ${atMs.toFixed(0)} ms, ${bytes} bytes${cut}</figcaption>
<pre tabindex="0">${plain(shown)}</pre><pre class="hex" tabindex="0">${hexLines(hex)}</pre></figure>`;
}

function records({ records: list = [] }: CaseReport): string {
  if (list.length === 0) return "<p>Nothing was logged.</p>";
  const lines = list.map((record) => plain(JSON.stringify(record)));
  return `<details><summary>${list.length} log records</summary><pre tabindex="0">${lines.join("\n")}</pre></details>`;
}

function matrix({ matrix: rows, disagreements }: SuiteReport): string {
  const marks = rows.map(
    ({ dimension, tier, declared, seen }) =>
      `<tr><th scope="row">${plain(dimension)}</th><td>${tier.toUpperCase()}</td><td>${declared}</td><td class="${seen === "failed" ? "failed" : ""}">${seen}</td></tr>`,
  );
  const differs = disagreements.map(
    ({ dimension, kind }) =>
      `<li><code>${plain(dimension)}</code>: ${kind.replaceAll("-", " ")}</li>`,
  );
  return `<section aria-labelledby="capabilities"><h2 id="capabilities">Capabilities</h2>
${differs.length > 0 ? `<p>The declaration and what was seen differ:</p><ul>${differs.join("")}</ul>` : ""}
<div class="scroll" tabindex="0" role="region" aria-label="Capability matrix"><table><thead><tr><th scope="col">Dimension</th><th scope="col">Tier</th><th scope="col">declared</th><th scope="col">seen</th></tr></thead>
<tbody>${marks.join("\n")}</tbody></table></div></section>`;
}

function allCases({ cases }: SuiteReport): string {
  const rows = cases.map(
    ({ id, title, tier, version, outcome, reason, seconds }) =>
      `<tr><th scope="row">${plain(id)}<br><small>${plain(title)}${reason === undefined ? "" : `<br>not applicable: ${plain(reason)}`}</small></th><td>${tier.toUpperCase()}</td><td>${version}</td><td class="${outcome === "failed" ? "failed" : ""}">${outcome.replaceAll("-", " ")}</td><td>${seconds.toFixed(1)} s</td></tr>`,
  );
  return `<section aria-labelledby="cases"><h2 id="cases">Cases</h2><details><summary>All ${cases.length}</summary>
<div class="scroll" tabindex="0" role="region" aria-label="All cases"><table><thead><tr><th scope="col">Case</th><th scope="col">Tier</th><th scope="col">schema</th><th scope="col">outcome</th><th scope="col">time</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div></details></section>`;
}

/** 16 bytes a line, in pairs. */
function hexLines(hex: string): string {
  const lines = hex.match(/.{1,32}/g) ?? [];
  return lines.map((line) => line.match(/../g)?.join(" ") ?? "").join("\n");
}

/** Text of a runtime as text of the page: no markup, and no control character that a terminal or a browser minds. */
function plain(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
    .replaceAll(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}
