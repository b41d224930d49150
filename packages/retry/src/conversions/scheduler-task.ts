import { checkObject } from "../check-arguments.ts";
import { constructDelay, constructMultiplier, constructRetries } from "./construct.ts";
import {
  deserializeMaxRetryDelay,
  deserializeMultiplier,
  deserializeRetries,
  deserializeRetryDelay,
} from "./deserialize.ts";
import { readMappedMultiplier } from "./read-mapped.ts";
import { serializeDelay, serializeMultiplier, serializeRetries } from "./serialize.ts";
import { type ConstructorPlace, checkPlace, type PythonValue } from "./values.ts";

/** What a Dag file says about the retries of one task; what is undefined was not written. */
export interface TaskRetrySettings {
  readonly retries?: PythonValue;
  readonly retryDelay?: PythonValue;
  readonly retryExponentialBackoff?: PythonValue;
  readonly maxRetryDelay?: PythonValue;
}

/** The same task as the scheduler holds it, its Dag having been stored and loaded. */
export interface SchedulerTask {
  readonly retries: number | bigint;
  readonly retryDelayUs: bigint;
  readonly maxRetryDelayUs: bigint | null;
  /**
   * Throws when read for a mapped operator whose multiplier is no number, as in Airflow; else a plain
   * number.
   */
  readonly multiplier: number;
}

/**
 * Takes the settings of one task the whole way: constructor, JSON, the scheduler's copy.
 *
 * @throws RetryError those of the constructor (`wrong-type`, `not-a-number`, `out-of-range`), `bad-input` and
 *   `cannot-deserialize`; {@link SchedulerTask.multiplier} those of `readMappedMultiplier`
 */
export function schedulerTask(settings: TaskRetrySettings, place: ConstructorPlace): SchedulerTask {
  checkObject(settings, "the settings");
  checkPlace(place);
  const mapped = place.endsWith("-mapped");
  const retries = constructRetries(settings.retries ?? null, place);
  const retryDelay = held(settings.retryDelay, place, "retry_delay");
  const maxRetryDelay = held(settings.maxRetryDelay, place, "max_retry_delay");
  const multiplier = serializeMultiplier(
    constructMultiplier(settings.retryExponentialBackoff ?? null, place),
  );
  const plainMultiplier = mapped ? undefined : deserializeMultiplier(multiplier);
  return {
    retries: deserializeRetries(serializeRetries(retries)),
    retryDelayUs: deserializeRetryDelay(serializeDelay(retryDelay, { mapped })),
    maxRetryDelayUs: deserializeMaxRetryDelay(serializeDelay(maxRetryDelay, { mapped })),
    get multiplier() {
      return plainMultiplier ?? readMappedMultiplier(multiplier);
    },
  };
}

function held(
  value: PythonValue | undefined,
  place: ConstructorPlace,
  name: "retry_delay" | "max_retry_delay",
): bigint | null {
  return value === undefined ? null : constructDelay(value, place, name);
}
