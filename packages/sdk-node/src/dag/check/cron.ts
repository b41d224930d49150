/** A field of a cron text. */
interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const DAYS = "sun mon tue wed thu fri sat".split(" ");
const FIELDS: readonly Field[] = [
  { name: "minute", min: 0, max: 59 },
  { name: "hour", min: 0, max: 23 },
  { name: "day of the month", min: 1, max: 31 },
  { name: "month", min: 1, max: 12, names: MONTHS },
  { name: "day of the week", min: 0, max: 7, names: DAYS },
  { name: "second", min: 0, max: 59 },
];
const USUAL = 5;

/**
 * Says what is wrong with a cron text of five fields: minute, hour, day of the month, month, day of
 * the week; a sixth is the second. Each is `*`, a value, a range `1-5`, one with a step `0-30/10`, or a list of these; days
 * may be `L` (the last), and a day of the week `L5` (its last) or `5#2` (its second) in the month.
 */
export function findCronProblem(text: string): string | undefined {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== USUAL && parts.length !== FIELDS.length) {
    return `has ${text.trim() === "" ? 0 : parts.length} fields, expected 5 (minute hour day month weekday)`;
  }
  for (const [index, field] of FIELDS.slice(0, parts.length).entries()) {
    const part = parts[index] ?? "";
    const items = part.toLowerCase().split(",");
    if (part === "?" && (index === 2 || index === 4)) continue;
    const bad = items.find((item) => !isItem(item, field, index));
    if (bad !== undefined) {
      const range = `${field.min} to ${field.max}${field.names ? ` or ${field.names.join(" ")}` : ""}`;
      return `has ${JSON.stringify(bad)} as ${field.name}, expected *, a value (${range}), a range 1-3, or one with a step such as */5`;
    }
    if (index === 4 && isMixed(items, field)) {
      return `has ${JSON.stringify(part)} as ${field.name}: days that are counted within the month (5#2, L5) stand alone`;
    }
  }
  return undefined;
}

/** Days of the week that are counted within the month: `5#2`, `L5`. */
const COUNTED = /^(?:l(\d)|(\w+)#([1-5]))$/;

/** Some days are counted within the month, and others, but not all, are not. */
function isMixed(items: readonly string[], field: Field): boolean {
  const counted = new Set<number>();
  const plain = new Set<number>();
  for (const item of items) {
    const day = COUNTED.exec(item);
    if (day !== null) counted.add((numberOf(day[1] ?? day[2] ?? "", field) ?? 0) % 7);
    else for (const each of daysOf(item, field)) plain.add(each);
  }
  if (counted.size === 0 || plain.size === 7) return false;
  return [...plain].some((day) => !counted.has(day));
}

/** Days of the week from 0 to 6, of an item that is a good one. */
function daysOf(item: string, field: Field): readonly number[] {
  const [days = "", step = "1"] = item.split("/");
  const [from = "", to] = days.split("-");
  const isAll = days === "*";
  const first = isAll ? 0 : (numberOf(from, field) ?? 0);
  const last =
    isAll || (to === undefined && item.includes("/")) ? 6 : (numberOf(to ?? from, field) ?? 0);
  const found: number[] = [];
  for (let day = first; day <= (last < first ? last + 7 : last); day += Number(step))
    found.push(day % 7);
  return found;
}

function isItem(item: string, field: Field, index: number): boolean {
  if (index === 2 && item === "l") return true;
  const counted = index === 4 ? COUNTED.exec(item) : null;
  if (counted !== null) return numberOf(counted[1] ?? counted[2] ?? "", field) !== undefined;
  const found = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(item);
  if (found === null) return false;
  const [, first, last, step] = found;
  if (step !== undefined && Number(step) < 1) return false;
  if (first === undefined) return true;
  const from = numberOf(first, field);
  const to = last === undefined ? from : numberOf(last, field);
  return from !== undefined && to !== undefined;
}

function numberOf(text: string, { min, max, names = [] }: Field): number | undefined {
  const at = names.indexOf(text);
  if (at >= 0) return at + min;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
