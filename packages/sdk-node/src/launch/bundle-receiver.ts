import type { Bundle } from "../bundle.ts";

let receiver: ((bundle: Bundle) => void) | undefined;

/**
 * Has bundles handed over in place of being served, until it is called with undefined: a unit test
 * loads a program that way. Nothing else ever sets it, so no program mistakes itself for a test.
 */
export function receiveBundles(receive: ((bundle: Bundle) => void) | undefined): void {
  receiver = receive;
}

/** Hands a bundle over to who has asked for it. @returns whether somebody has */
export function handOver(bundle: Bundle): boolean {
  receiver?.(bundle);
  return receiver !== undefined;
}
