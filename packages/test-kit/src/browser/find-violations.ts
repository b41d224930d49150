import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

const SHOWN_PLACES = 4;

export interface AccessibilityOptions {
  /** A part of the page, as a CSS selector; the whole by default. */
  readonly within?: string;
  /** Rules of axe-core left out, by id. None by default: say why where you use it. */
  readonly without?: readonly string[];
}

interface Violation {
  readonly id: string;
  readonly impact?: string | null;
  readonly help: string;
  readonly nodes: readonly {
    readonly target: readonly unknown[];
    readonly failureSummary?: string;
  }[];
}

/** Runs every rule of axe-core that is on by default, and those of WCAG 2.2 that are not. */
export async function findViolations(
  page: Page,
  { within, without = [] }: AccessibilityOptions = {},
): Promise<string[]> {
  // Evaluated by the debugger, so that no content policy has to allow it.
  await page.evaluate(await readFile(AXE, "utf8"));
  const rules = Object.fromEntries([
    ["target-size", { enabled: true }],
    ...without.map((id) => [id, { enabled: false }] as const),
  ]);
  const expression = `axe.run(${JSON.stringify(within ?? null)} ?? document, ${JSON.stringify({
    resultTypes: ["violations"],
    rules,
  })}).then(({ violations }) => violations)`;
  const violations = (await page.evaluate(expression)) as readonly Violation[];
  return violations.map(describe);
}

function describe({ id, impact, help, nodes }: Violation): string {
  const places = nodes.slice(0, SHOWN_PLACES).map(({ target, failureSummary = "" }) => {
    const summary = failureSummary.split("\n").map((line) => `      ${line.trim()}`);
    return [`    ${target.join(" ")}`, ...summary].join("\n");
  });
  const more = nodes.length - places.length;
  const rest = more > 0 ? [`    and ${more} places more`] : [];
  return [`${id} (${impact ?? "unrated"}): ${help}`, ...places, ...rest].join("\n");
}
