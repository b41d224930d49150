import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";

/** The parts of a source map (version 3) that are used here. */
export interface SourceMap {
  readonly version: number;
  /** What `sources` start from, a URL. */
  readonly sourceRoot?: string;
  readonly sources: readonly string[];
  readonly names: readonly string[];
  /** As of `@jridgewell/sourcemap-codec`. */
  readonly mappings: string;
}

const SOURCE_MAP_MARK = "//# sourceMappingURL=data:application/json;base64,";

/** A source map as the last line of its program. */
export function inlineSourceMap(map: SourceMap): string {
  return `${SOURCE_MAP_MARK}${Buffer.from(JSON.stringify(map)).toString("base64")}\n`;
}

/**
 * A source map of the wanted files alone. What belongs to other files is marked as belonging to
 * none, once for each run of it: a reader would otherwise take it for the code before it.
 *
 * The map of a whole program is about as large as the program, nearly all of it for packages.
 *
 * @param nameOf - what a source is called there; undefined for one that is not wanted
 * @param linesBefore - how many lines stand before the program that the map is of
 */
export function ownSourceMap(
  map: SourceMap,
  nameOf: (source: string) => string | undefined,
  linesBefore: number,
): SourceMap {
  const sources: string[] = [];
  const newIndex = map.sources.map((source) => {
    const name = nameOf(source);
    return name === undefined ? -1 : sources.push(name) - 1;
  });
  let isMapped = false;
  const keep = (segment: SourceMapSegment): SourceMapSegment[] => {
    const index = segment.length === 1 ? -1 : (newIndex[segment[1]] ?? -1);
    if (segment.length !== 1 && index !== -1) {
      isMapped = true;
      return [[segment[0], index, segment[2], segment[3]]];
    }
    const ends = isMapped;
    isMapped = false;
    return ends ? [[segment[0]]] : [];
  };
  const before = Array.from({ length: linesBefore }, (): SourceMapSegment[] => []);
  const lines = decode(map.mappings).map((segments) => segments.flatMap(keep));
  // Lines without a segment at the end say nothing.
  const mappings = encode([...before, ...lines]).replace(/;+$/, "");
  return { version: 3, sources, names: [], mappings };
}
