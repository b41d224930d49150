import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 random bits, as text that fits into a URL and a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** What is kept of a secret: nobody who reads it later can use it. */
export function fingerprint(secret: string): Buffer {
  return createHash("sha256").update(secret, "utf8").digest();
}

/** Compares in a time that does not depend on where they differ. */
export function isSameSecret(kept: Buffer, given: string): boolean {
  return timingSafeEqual(kept, fingerprint(given));
}
