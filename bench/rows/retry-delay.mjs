import { Instant, nextRetry } from "../../packages/retry/dist/index.js";
import { interleave, microsecondsPerCall } from "../lib/interleave.mjs";
import { startStockRetry } from "../lib/stock-retry.mjs";

const CALLS = 4_800;
const TRIES = 8;
const MULTIPLIERS = [2, 3.5, 0];

/**
 * The next retry of one task instance after another, as a scheduler asks it: a third each with the multipliers 2
 * and 3.5 and with a fixed delay, try numbers 1 to 8. Both sides hold dates and durations as objects of theirs.
 */
export const row = {
  name: "retry-delay",
  what: "the next retry, multipliers 2, 3.5 and none in turn",
  against: "next_retry_datetime of stock Airflow",
  must: 0.4,
  aim: 0.1,
  better: "lower",
  unit: "us",
  peers: ["airflow-3.3.2"],
  async measure({ peers, note }) {
    const vectors = MULTIPLIERS.flatMap((multiplier) =>
      Array.from({ length: TRIES }, (_, at) => vectorOf(multiplier, at + 1)),
    );
    const inputs = vectors.map(inputOf);
    const stock = await startStockRetry(peers["airflow-3.3.2"], vectors);
    inputs.forEach((input, at) => {
      const { delayUs } = nextRetry(input);
      if (delayUs === BigInt(stock.delaysUs[at])) return;
      throw new Error(`try ${input.tryNumber}: ${delayUs} us, stock ${stock.delaysUs[at]} us`);
    });
    for (const [at, multiplier] of MULTIPLIERS.entries()) {
      const own = inputs.slice(at * TRIES, (at + 1) * TRIES);
      time(own);
      note(`multiplier ${multiplier}: ${time(own).toFixed(3)} us`);
    }
    const figures = await interleave({
      rounds: 25,
      warmUps: 5,
      ours: () => time(inputs),
      limit: () => stock.time(CALLS),
    });
    stock.end();
    return { ...figures, peer: figures.limit };
  },
};

function time(inputs) {
  let at = 0;
  return microsecondsPerCall(() => nextRetry(inputs[at++ % inputs.length]), CALLS);
}

function vectorOf(multiplier, tryNumber) {
  return {
    dag_id: "etl",
    task_id: "load",
    logical_date: "2026-01-02T03:04:05+00:00",
    end_date: "2026-01-02T04:00:00+00:00",
    try_number: tryNumber,
    retry_delay_us: 300_000_000,
    multiplier,
    max_retry_delay_us: null,
  };
}

function inputOf(vector) {
  return {
    dagId: vector.dag_id,
    taskId: vector.task_id,
    logicalDate: Instant.parse(vector.logical_date),
    endDate: Instant.parse(vector.end_date),
    tryNumber: vector.try_number,
    retryDelayUs: vector.retry_delay_us,
    multiplier: vector.multiplier,
    maxRetryDelayUs: vector.max_retry_delay_us,
  };
}
