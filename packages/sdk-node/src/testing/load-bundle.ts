import type { Bundle } from "../bundle.ts";
import { receiveBundles } from "../launch/bundle-receiver.ts";

/**
 * Loads a program that calls `serve(bundle)`, and gives its bundle in place of serving it.
 *
 * ```ts
 * const bundle = await loadBundle(() => import("../src/tasks.ts"));
 * ```
 *
 * @throws Error when it calls no `serve`, for example since it was loaded before
 */
export async function loadBundle(load: () => Promise<unknown>): Promise<Bundle> {
  let found: Bundle | undefined;
  receiveBundles((bundle) => {
    found = bundle;
  });
  try {
    await load();
  } finally {
    receiveBundles(undefined);
  }
  if (found !== undefined) return found;
  throw new Error(
    "loadBundle: the program called no serve(bundle) while it was loaded; was it loaded before?",
  );
}
