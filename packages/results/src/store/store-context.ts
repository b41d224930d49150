import type { Database } from "../database/database.ts";
import type { Serializer } from "../serializers/serializer.ts";
import type { ValueOptions } from "../serializers/value-options.ts";
import type { DateRule } from "./date-rule.ts";
import type { StoreClock } from "./options.ts";

/** What the operations of one store share. */
export interface StoreContext {
  readonly database: Database;
  readonly serializer: Serializer;
  readonly values: ValueOptions;
  readonly dates: DateRule;
  readonly extended: boolean;
  readonly nulReplacement: string;
  readonly resultExpiresSeconds: number;
  readonly clock: StoreClock;
}
