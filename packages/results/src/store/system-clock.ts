import { setTimeout as delay } from "node:timers/promises";
import type { StoreClock } from "./options.ts";

/** The clock of the machine. */
export const systemClock: StoreClock = {
  now: () => new Date(),
  async sleep(ms, signal) {
    try {
      await delay(ms, undefined, signal === undefined ? undefined : { signal });
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : error;
    }
  },
};
