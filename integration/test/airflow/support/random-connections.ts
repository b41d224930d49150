import type { Random } from "./random.ts";

const SCHEMES = ["postgres", "postgresql", "http", "google-cloud", "a_b", "Aws", "sqlite+x", ""];
const HOSTS = [
  "h",
  "Db.Example",
  "%2Ftmp%2FX.db",
  "[::1]",
  "[::FFFF:1.2.3.4%25e]",
  "höst",
  "",
  "1.2.3.4",
];
const TEXTS = [
  "u",
  "p@:/?#",
  "ä €",
  "%41%zz%",
  "",
  "a+b c",
  "l'a!(*)~",
  "\u{1F600}",
  "x%FFy",
  "=&",
];
const PORTS = ["", ":", ":0", ":80", ":65535", ":65536", ":x", ":-1", ":٣"];
const QUERIES = ["", "?", "?a=b", "?a=1&b=%20+&a=2", "?__extra__=%7B%7D", "?é=ü&&=&x", "?q=a?b#c"];
const LETTERS = ' \t:/?#@[]%&=+{}"\\,0aé\u00a0\u2100\ufeff';
const NUMBERS = [
  "0",
  "-0",
  "1",
  "5432",
  "1.5",
  "-0.0",
  "1e5",
  "1E-7",
  "123456789012345678901234567890",
  "0.1",
  "2e400",
  "NaN",
  "-Infinity",
  "9007199254740993.0",
  "1e21",
];

/** A text such as might stand in `AIRFLOW_CONN_…`, often a little off. */
export function randomConnectionText(random: Random): string {
  const text = random.chance(0.4) ? json(random) : uri(random);
  const perhapsOff = random.chance(0.3) ? changed(text, random) : text;
  return perhapsOff.replace(/\p{Surrogate}/gu, ""); // no environment holds half a pair
}

function uri(random: Random): string {
  const text = () => quoted(random.pick(TEXTS), random);
  const user = random.chance(0.5) ? `${text()}${random.chance(0.6) ? `:${text()}` : ""}@` : "";
  const own = random.chance(0.15) ? `${random.pick(["https", "HTTP", "x-y", ""])}://` : "";
  const host = `${random.pick(HOSTS)}${random.chance(0.5) ? random.pick(PORTS) : ""}`;
  const path = random.chance(0.6) ? `/${text()}${random.chance(0.2) ? `/${text()}` : ""}` : "";
  return `${random.pick(SCHEMES)}://${own}${user}${host}${path}${random.pick(QUERIES)}`;
}

function quoted(text: string, random: Random): string {
  return random.chance(0.5) ? encodeURIComponent(text) : text;
}

function json(random: Random): string {
  const fields = [
    "conn_type",
    "host",
    "login",
    "password",
    "schema",
    "port",
    "extra",
    "description",
  ];
  const pairs = fields
    .filter(() => random.chance(0.45))
    .map((name) => {
      return `${JSON.stringify(name)}:${random.pick(["", " "])}${fieldValue(name, random)}`;
    });
  return `{${pairs.join(", ")}}`;
}

function fieldValue(name: string, random: Random): string {
  if (name === "extra")
    return random.chance(0.5) ? value(random, 0) : JSON.stringify(value(random, 0));
  if (name === "port")
    return random.pick([...NUMBERS.slice(0, 6), '"80"', '" 8_0 "', '""', "null", "true"]);
  if (name === "conn_type") return JSON.stringify(random.pick(SCHEMES));
  return random.pick([...TEXTS.map((text) => JSON.stringify(text)), "null", "5", '"x://y"']);
}

function value(random: Random, depth: number): string {
  switch (random.below(depth < 3 ? 8 : 5)) {
    case 0:
      return random.pick(["null", "true", "false"]);
    case 1:
    case 2:
      return random.pick(NUMBERS);
    case 3:
    case 4:
      return JSON.stringify(random.pick(TEXTS));
    case 5:
      return `[${list(random, () => value(random, depth + 1))}]`;
    case 6:
      return `{${list(random, () => `${JSON.stringify(random.pick(TEXTS))}: ${JSON.stringify(random.pick(TEXTS))}`)}}`;
    default:
      return `{${list(random, () => `"${random.pick(["a", "1", "ä", "__proto__"])}":${value(random, depth + 1)}`)}}`;
  }
}

function list(random: Random, make: () => string): string {
  return Array.from({ length: random.below(4) }, make).join(",");
}

function changed(text: string, random: Random): string {
  let result = text;
  for (let count = random.below(3); count > 0; count--) {
    const at = random.below(result.length + 1);
    const put = random.chance(0.3) ? "" : (LETTERS[random.below(LETTERS.length)] ?? "");
    result = result.slice(0, at) + put + result.slice(at + random.below(2));
  }
  return result;
}
