import type { Direction } from "@parlance/protocol";
import type { Definition } from "./read-data.ts";

/** The repository's schema generators, which are plain JavaScript without types. */
export interface Generators {
  readonly typeSchema: (schema: Definition, direction: Direction) => Definition;
  readonly compileTypes: (schema: Definition, rootName: string) => Promise<string>;
  readonly wireSchema: (schema: Definition, direction: Direction) => object;
  readonly compileValidators: (
    definitions: { readonly [name: string]: object },
    exported: { readonly [name: string]: string },
    runtime: string,
  ) => string;
}

/** The repository's root, from dist-test/support. */
export const ROOT: URL = new URL("../../../../", import.meta.url);

export async function loadGenerators(): Promise<Generators> {
  const modules = ["type-schema", "wire-schema", "compile"].map(
    (name) => import(new URL(`scripts/schema/${name}.mjs`, ROOT).href) as Promise<Generators>,
  );
  return Object.assign({}, ...(await Promise.all(modules))) as Generators;
}
