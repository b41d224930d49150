// Reads what docs/wire.md demands of a runtime, and holds it to the cases of the conformance kit.

const WORDS = /\b(?:MUST|SHOULD|MAY)\b/;
const ITEM = /^- \*\*(MUST|SHOULD|MAY)(?: NOT)?\*\* (.+) · (.+)$/s;
const NO_CASE = /^no case: (.{10,})$/s;

/**
 * The demands of a page: its list items that begin with a bold MUST, SHOULD or MAY, and the rows of its tables that
 * have the columns `tier` and `cases`. Each is {line, text, tier, cases} or {…, reason}, or {line, fault}.
 */
export function readDemands(page) {
  return [...items(page), ...rows(page)].sort((one, other) => one.line - other.line);
}

/**
 * What is wrong between the demands and the cases.
 *
 * @param demands - of {@link readDemands}
 * @param cases - {family, tier, proves} of each case
 * @param dimensions - {name, tier, group, unseen} of the capability matrix
 */
export function compareDemands(demands, cases, dimensions) {
  const families = new Map(cases.map((one) => [one.family, one]));
  const named = new Set(demands.flatMap((one) => one.cases ?? []));
  const faults = demands.flatMap((one) => faultsOf(one, families));
  for (const { family } of families.values()) {
    if (!named.has(family)) faults.push(`no line names the case ${family}`);
  }
  return [...faults, ...dimensions.flatMap((one) => faultsOfDimension(one, demands, families))];
}

function faultsOf({ line, fault, tier, cases = [], reason }, families) {
  if (fault !== undefined) return [`line ${line}: ${fault}`];
  if (cases.length === 0 && reason === undefined) return [`line ${line}: it names no case`];
  return cases.flatMap((id) => {
    const found = families.get(id);
    if (found === undefined) return [`line ${line}: there is no case ${id}`];
    if (found.tier === tier.toLowerCase()) return [];
    return [`line ${line}: it is a ${tier}, its case ${id} a ${found.tier.toUpperCase()}`];
  });
}

/** A state or capability has a row: of its tier, with cases that prove it, or with the reason that there are none. */
function faultsOfDimension({ name, tier, unseen }, demands, families) {
  const row = demands.find(({ names }) => names?.includes(name));
  if (row === undefined) return [`no table has a row for ${name}`];
  const where = `line ${row.line}, ${name}`;
  if (row.tier !== tier.toUpperCase()) return [`${where}: its tier is ${tier.toUpperCase()}`];
  if ((row.reason ?? undefined) !== unseen) {
    return [
      `${where}: ${unseen === undefined ? "it needs cases" : `it has to say: no case: ${unseen}`}`,
    ];
  }
  return (row.cases ?? [])
    .filter((id) => families.get(id)?.proves.includes(name) === false)
    .map((id) => `${where}: the case ${id} does not prove it`);
}

/** The list items with a demand; the words elsewhere are demands that nothing holds. */
function* items(page) {
  const lines = page.replace(/^```[\s\S]*?^```/gm, blank).split("\n");
  for (let at = 0; at < lines.length; at++) {
    const text = lines[at];
    if (!WORDS.test(text) || text.startsWith("|")) continue;
    const line = at + 1;
    while (/^ {2}\S/.test(lines[at + 1] ?? "")) at++;
    const [, tier, demand, tail] = ITEM.exec(joined(lines.slice(line - 1, at + 1))) ?? [];
    if (tier === undefined) {
      yield { line, fault: "a demand has to be a list item: - **MUST** what · `case`, `case`" };
    } else yield { line, text: demand, tier, ...proof(tail) };
  }
}

function* rows(page) {
  let columns;
  for (const [at, text] of page.split("\n").entries()) {
    if (!text.startsWith("|")) {
      columns = undefined;
      continue;
    }
    const cells = text
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (columns === undefined) {
      columns = cells;
      continue;
    }
    const tier = cells[columns.indexOf("tier")];
    const proofs = cells[columns.indexOf("cases")];
    if (tier === undefined || proofs === undefined || /^-+$/.test(tier)) continue;
    const names = cells.slice(0, 2).map((cell) => cell.replaceAll("`", ""));
    const isTier = /^(?:MUST|SHOULD|MAY)$/.test(tier);
    yield isTier
      ? { line: at + 1, text: names.join(" "), names, tier, ...proof(proofs) }
      : { line: at + 1, fault: `${tier} is no tier` };
  }
}

/** `{cases}`, or `{reason}` where no case can see it. */
function proof(tail) {
  const [, reason] = NO_CASE.exec(tail) ?? [];
  if (reason !== undefined) return { reason };
  return { cases: [...tail.matchAll(/`([^`]+)`/g)].map(([, id]) => id) };
}

const joined = (lines) => lines.map((text) => text.trim()).join(" ");
const blank = (block) => block.replace(/[^\n]/g, "");
