import {
  Instant,
  type NextRetry,
  nextRetry,
  type RetryErrorCode,
  retryDelay,
} from "@parlance/retry";
import { test } from "uvu";
import * as assert from "uvu/assert";

const INPUT = {
  dagId: "d",
  taskId: "t",
  logicalDate: null,
  tryNumber: 1,
  retryDelayUs: 300_000_000,
  multiplier: 0,
} as const;

// What must not compile; `npx tsc` is the test.
export function wrongUses(): void {
  // @ts-expect-error booleans are converted by the functions named after their place
  retryDelay({ ...INPUT, multiplier: true });
  // @ts-expect-error text too
  retryDelay({ ...INPUT, multiplier: "2" });
  // @ts-expect-error null says that there is none
  retryDelay({ ...INPUT, logicalDate: undefined });
  // @ts-expect-error the end of the attempt is needed
  nextRetry(INPUT);
  // @ts-expect-error made by parse, from and the like
  new Instant(0, 0, 0);
  // @ts-expect-error read-only
  retryDelay(INPUT).delayUs = 5n;
  // @ts-expect-error a code is one of a few
  const code: RetryErrorCode = "something";
  void code;
}

test("what is used right compiles", () => {
  const next: NextRetry = nextRetry({ ...INPUT, endDate: new Date(0), maxRetryDelayUs: null });
  const delayUs: bigint = next.delayUs;
  assert.is(delayUs, 300_000_000n);
});

test.run();
