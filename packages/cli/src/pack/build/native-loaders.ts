/** Packages whose one purpose is to find another package's native module at run time. */
const LOADERS = new Set([
  "@mapbox/node-pre-gyp",
  "@neon-rs/load",
  "bindings",
  "node-gyp-build",
  "node-pre-gyp",
]);

/**
 * A warning for each package in the program that looks for a native module when it runs. Many of
 * them do without when they do not find it, so that is no reason to refuse.
 *
 * @param inputs - esbuild's own list: what each file imports
 */
export function nativeLoaderWarnings(inputs: {
  readonly [path: string]: { readonly imports: readonly { readonly path: string }[] };
}): string[] {
  const users = Object.entries(inputs).flatMap(([path, { imports }]) => {
    const loads = imports.some((imported) => LOADERS.has(packageOf(imported.path) ?? ""));
    const user = loads ? packageOf(path) : undefined;
    return user === undefined || LOADERS.has(user) ? [] : [user];
  });
  return [...new Set(users)]
    .sort()
    .map((name) => `${name} looks for a native module when it runs; the bundle does not hold it.`);
}

/** The package that a file is of, by the last `node_modules` in its path. */
export function packageOf(path: string): string | undefined {
  return /.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
}
