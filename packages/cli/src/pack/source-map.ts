/** The parts of a source map (version 3) that are used here. */
export interface SourceMap {
  readonly version: number;
  /** What `sources` start from, a URL. */
  readonly sourceRoot?: string;
  readonly sources: readonly string[];
  readonly names: readonly string[];
  /** Base64 VLQ segments: `,` between those of one line, `;` between lines. */
  readonly mappings: string;
}

/** What stands before a source map (JSON in base64) at the end of a program. */
export const SOURCE_MAP_MARK = "//# sourceMappingURL=data:application/json;base64,";

/** A source map as the last line of its program. */
export function inlineSourceMap(map: SourceMap): string {
  return `${SOURCE_MAP_MARK}${Buffer.from(JSON.stringify(map)).toString("base64")}\n`;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES: readonly number[] = Array.from({ length: 128 }, (_, code) =>
  DIGITS.indexOf(String.fromCharCode(code)),
);
const COMMA = 0x2c;
const SEMICOLON = 0x3b;

/**
 * A source map of the wanted files alone. What belongs to other files is marked as belonging to
 * none, once for each run of it: a reader would otherwise take it for the code before it.
 *
 * The map of a whole program is about as large as the program, nearly all of it for packages.
 *
 * @param isWanted - asked once for each source
 * @param linesBefore - how many lines stand before the program that the map is of
 */
export function ownSourceMap(
  map: SourceMap,
  isWanted: (source: string) => boolean,
  linesBefore: number,
): SourceMap {
  const sources = map.sources.filter(isWanted);
  const newIndex = map.sources.map((source) => sources.indexOf(source));
  const writer = new SegmentWriter(linesBefore);
  const { mappings } = map;
  let column = 0;
  const origin = [0, 0, 0, 0]; // source, line, column, name: each segment is told from the last one
  for (let at = 0; at < mappings.length; ) {
    const code = mappings.charCodeAt(at);
    if (code === COMMA) at++;
    else if (code === SEMICOLON) {
      writer.endLine();
      column = 0;
      at++;
    } else {
      let field = 0;
      for (; at < mappings.length && !isSeparator(mappings.charCodeAt(at)); field++) {
        let value = 0;
        let digit = 32;
        for (let shift = 0; digit & 32; shift += 5) {
          digit = VALUES[mappings.charCodeAt(at++)] ?? 0;
          value |= (digit & 31) << shift;
        }
        const delta = value & 1 ? -(value >>> 1) : value >>> 1;
        if (field === 0) column += delta;
        else origin[field - 1] = (origin[field - 1] ?? 0) + delta;
      }
      const [source = 0, line = 0, originalColumn = 0] = origin;
      const index = field < 4 ? -1 : (newIndex[source] ?? -1);
      if (index === -1) writer.unmapped(column);
      else writer.mapped(column, [index, line, originalColumn]);
    }
  }
  return { version: 3, sources, names: [], mappings: writer.end() };
}

function isSeparator(code: number): boolean {
  return code === COMMA || code === SEMICOLON;
}

/** Writes segments, each relative to the one before. */
class SegmentWriter {
  readonly #lines: string[] = [];
  #segments: string[] = [];
  #column = 0;
  #origin: readonly number[] = [0, 0, 0];
  #isMapped = false;

  constructor(linesBefore: number) {
    for (let line = 0; line < linesBefore; line++) this.endLine();
  }

  mapped(column: number, origin: readonly number[]): void {
    this.#isMapped = true;
    const deltas = origin.map((value, field) => value - (this.#origin[field] ?? 0));
    this.#segments.push([column - this.#column, ...deltas].map(vlq).join(""));
    this.#column = column;
    this.#origin = origin;
  }

  unmapped(column: number): void {
    if (!this.#isMapped) return;
    this.#isMapped = false;
    this.#segments.push(vlq(column - this.#column));
    this.#column = column;
  }

  endLine(): void {
    this.#lines.push(this.#segments.join(","));
    this.#segments = [];
    this.#column = 0;
  }

  /** What was written; lines without a segment at the end are left out. */
  end(): string {
    this.endLine();
    return this.#lines.join(";").replace(/;+$/, "");
  }
}

function vlq(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = "";
  do {
    const more = rest > 31 ? 32 : 0;
    text += DIGITS[(rest & 31) | more];
    rest >>>= 5;
  } while (rest > 0);
  return text;
}
