import type { Test } from "uvu";
import { skip } from "../skip.ts";
import { findPeer, type PeerName } from "./find-peer.ts";

/**
 * The path of a peer that tests need.
 *
 * When it is missing, one test of the name `label` is registered in its place: skipped with the
 * reason, or failing under `CI=true`. The caller then registers none of its own.
 *
 * @param label - what is left out, for the report
 */
export function requirePeer<T>(test: Test<T>, label: string, name: PeerName): string | undefined {
  const peer = findPeer(name);
  if ("path" in peer) return peer.path;
  skip(test, label, peer.missing);
  return undefined;
}
