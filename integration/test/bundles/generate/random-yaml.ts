import type { Random } from "../../airflow/support/random.ts";
import { randomDagId, randomScalar } from "./random-scalar.ts";

/** Pieces of syntax, put anywhere: what comes of it may be YAML or not. */
const PIECES: readonly string[] = [
  ...[
    " ",
    "  ",
    "\n",
    "\n  ",
    "\t",
    ":",
    ": ",
    "-",
    "- ",
    "? ",
    "#",
    " #",
    ",",
    "[",
    "]",
    "{",
    "}",
  ],
  ...[
    "'",
    '"',
    "\\",
    "|",
    ">",
    "&a ",
    "*a",
    "!",
    "!!str ",
    "<<: ",
    "~",
    "yes",
    "---\n",
    "...\n",
    "\r\n",
  ],
  ...["\ufeff", "\u2028", "\u0085", "\u0007", "é", "=", "%", "@", "_", "\\u0041", "\ud83d"],
];

const VERSIONS: readonly string[] = [
  ...['"2026-06-16"', "'2026-06-16'", '"2026-10-30"', "2026-06-16", "2026-6-16", "1", "~", "''"],
  ...['"2025-01-01"', "!!str 2026-06-16", "&v '2026-06-16'"],
];

/** A document, and the Dag ids as they were meant to be. */
export interface RandomMetadata {
  readonly text: string;
  readonly dagIds: readonly string[];
}

/** The metadata of a bundle as somebody may have written it: often right, sometimes odd, sometimes broken. */
export function randomYaml(random: Random): RandomMetadata {
  const writer = random.chance(0.2) ? new JsonWriter(random) : new YamlWriter(random);
  const text = writer.write();
  return { text: random.chance(0.2) ? disturb(random, text) : text, dagIds: writer.dagIds };
}

function disturb(random: Random, given: string): string {
  let text = given;
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(text.length + 1);
    const kind = random.next();
    if (kind < 0.5) text = text.slice(0, at) + random.pick(PIECES) + text.slice(at);
    else if (kind < 0.75) text = text.slice(0, at) + text.slice(at + 1 + random.below(3));
    else text = moveLine(random, text);
  }
  return text;
}

function moveLine(random: Random, text: string): string {
  const lines = text.split("\n");
  lines.splice(random.below(lines.length), 0, lines[random.below(lines.length)] as string);
  return lines.join("\n");
}

/** Writes one document, with anchors that later parts may use. */
class YamlWriter {
  readonly dagIds: string[] = [];
  readonly #random: Random;
  readonly #maps: string[] = [];
  readonly #values: string[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  write(): string {
    const random = this.#random;
    const parts = [
      `airflow_bundle_metadata_version: ${random.pick(['"1.0"', "1.0", "'2.0'", "~"])}\n`,
      this.#sdk(),
      this.#dags("dags"),
    ];
    if (random.chance(0.3)) parts.push(this.#dags("task_handlers"));
    for (let times = random.below(4); times > 0; times--) parts.push(this.#extra());
    if (random.chance(0.1)) parts.splice(random.below(parts.length), 1);
    if (random.chance(0.2)) parts.splice(random.below(parts.length), 0, "# a comment\n");
    const start = random.pick(["", "", "", "---\n", "%YAML 1.1\n---\n", "\ufeff"]);
    return start + parts.join("") + random.pick(["", "", "", "...\n", "\n\n", "# */ //"]);
  }

  #sdk(): string {
    const { random, version } = { random: this.#random, version: this.#random.pick(VERSIONS) };
    if (random.chance(0.3)) return `sdk: {language: go, supervisor_schema_version: ${version}}\n`;
    const anchor = random.chance(0.2) ? " &sdk" : "";
    if (anchor !== "") this.#maps.push("sdk");
    return `sdk:${anchor}\n  language: ${randomScalar(random)}\n  supervisor_schema_version: ${version}\n`;
  }

  #dags(key: string): string {
    const random = this.#random;
    if (random.chance(0.05)) return `${key}: ${randomScalar(random)}\n`;
    const ids = Array.from({ length: random.below(4) + 1 }, () => this.#key());
    if (random.chance(0.25)) {
      return `${key}: {${ids.map((id) => `${id} : {tasks: [${randomScalar(random)}]}`).join(", ")}}\n`;
    }
    const lines = ids.map((id) => `  ${id}: ${this.#value(4)}\n`);
    const merge = random.chance(0.15) ? this.#merge(2) : "";
    return `${key}:\n${random.chance(0.5) ? merge : ""}${lines.join("")}${merge}`;
  }

  #key(): string {
    const random = this.#random;
    const id = random.chance(0.8) ? randomDagId(random) : randomScalar(random);
    this.dagIds.push(id);
    return random.pick([id, id, id, `"${id}"`, `'${id}'`, `!!str ${id}`, `? ${id}\n `]);
  }

  #extra(): string {
    const random = this.#random;
    const key = random.pick([
      "source",
      "sources",
      "extra",
      "on",
      "1",
      "d1",
      "entrypoint_path",
      "x y",
    ]);
    return `${key}: ${this.#value(2)}\n`;
  }

  /** A value behind `key: `, of any kind. */
  #value(indent: number): string {
    const random = this.#random;
    const kind = random.next();
    const pad = " ".repeat(indent);
    if (kind < 0.45) return this.#anchored(this.#values, randomScalar(random));
    if (kind < 0.52 && this.#values.length > 0) return `*${random.pick(this.#values)}`;
    if (kind < 0.56 && this.#maps.length > 0) return `*${random.pick(this.#maps)}`;
    if (kind < 0.66) return this.#anchored(this.#values, `[${this.#items().join(", ")}]`);
    if (kind < 0.74)
      return `\n${this.#items()
        .map((item) => `${pad}- ${item}`)
        .join("\n")}`;
    if (kind < 0.8) return `${random.pick(["|", ">", "|-", ">+", "|2"])}\n${pad}text\n${pad}  more`;
    const entries = this.#items().map((item, at) => `${pad}${"pqr"[at]}: ${item}`);
    if (random.chance(0.3)) entries.push(this.#merge(indent).trimEnd());
    return `${this.#anchored(this.#maps, "")}\n${entries.join("\n")}`;
  }

  #items(): string[] {
    return Array.from({ length: this.#random.below(3) + 1 }, () => randomScalar(this.#random));
  }

  #anchored(names: string[], value: string): string {
    if (!this.#random.chance(0.2)) return value;
    const name = `a${this.#maps.length + this.#values.length}`;
    names.push(name);
    return `&${name} ${value}`;
  }

  #merge(indent: number): string {
    const [one, other] = [
      this.#random.pick(["sdk", ...this.#maps]),
      this.#random.pick(["sdk", ...this.#maps]),
    ];
    const what = this.#random.pick([
      `*${one}`,
      `[*${one}, *${other}]`,
      "{d1: 1}",
      "[{p: a, q: b}, {p: c, r: d}]",
    ]);
    return `${" ".repeat(indent)}<<: ${what}\n`;
  }
}

/** JSON, which is nearly always YAML too. */
class JsonWriter {
  readonly dagIds: string[] = [];
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  write(): string {
    const random = this.#random;
    for (let times = random.below(3) + 1; times > 0; times--) this.dagIds.push(randomDagId(random));
    const dags = Object.fromEntries(this.dagIds.map((id) => [id, { tasks: ["t"] }]));
    const version = random.pick(["2026-06-16", "2026-10-30", "", "2025-01-01", 1, null]);
    const document = {
      airflow_bundle_metadata_version: random.pick(["1.0", 1, "1", "1.2.3", "2.0"]),
      sdk: { language: "typescript", supervisor_schema_version: version },
      [random.pick(["dags", "dags", "dags", "dag"])]: dags,
      [random.pick(["task_handlers", "task_handlers", "handlers"])]: dags,
      extra: random.pick([
        1e21,
        1.5,
        -0.5,
        "a\tb",
        "é\u2028",
        [true, null],
        { a: {} },
        "\ud83d",
        "\u007f",
      ]),
    };
    return JSON.stringify(document, null, random.pick([0, 0, 1, 2]));
  }
}
