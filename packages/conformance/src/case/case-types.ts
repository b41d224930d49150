import type { SchemaVersion } from "@parlance/protocol";

/** How binding a case is, in the words of RFC 2119. */
export type Tier = "must" | "should" | "may";

/** The tiers from the most binding one on. */
export const TIERS: readonly Tier[] = ["must", "should", "may"];

/** What the kit does to the bytes on their way to the runtime, and to the link. */
export interface LinkPlan {
  /** How frames are cut into writes: one a byte; the prefix apart; or as they are (default). */
  readonly split?: "bytes" | "prefix";
  /** Rewrites every frame with the widest MessagePack formats that hold its values. */
  readonly widest?: boolean;
  /** Rewrites every timestamp in this many bytes: 4 drops the fraction, 12 always holds it. */
  readonly timestampBytes?: 4 | 8 | 12;
  /** Elements of every frame: 2 leaves the error out, 4 adds one that nobody knows. */
  readonly elements?: 2 | 4;
  /** Adds a field nobody knows to every body. */
  readonly unknownFields?: boolean;
  /** Keeps the first frame back so long, in milliseconds; `never` for good. */
  readonly startup?: number | "never";
  /** Sends a frame of an id that was never asked, before the first answer. */
  readonly strayAnswer?: boolean;
  /**
   * Keeps answers back until so many requests wait, or none has come for 700 ms; then all go out in one write, the
   * last one first.
   */
  readonly reverse?: number;
  /** Writes the waiting answers in one piece once so many are there, in their order. */
  readonly coalesce?: number;
  /** Answers requests of these types in the kit's own way instead of the supervisor's. */
  readonly replace?: readonly Replacement[];
  /** Ends the comm link at a moment. */
  readonly cut?: Cut;
}

/** Another answer than the supervisor's. */
export interface Replacement {
  /** The type of the request. */
  readonly to: string;
  readonly body?: unknown;
  readonly error?: unknown;
}

/** Where the comm link ends. */
export interface Cut {
  /** Right after the connection; after the first frame; when a request of this type came. */
  readonly at: "connect" | "startup" | { readonly request: string };
  /** Sends half of the frame that would come next. */
  readonly halfFrame?: boolean;
}

/** A signal to the runtime's process. */
export interface SignalPlan {
  readonly name: "SIGTERM" | "SIGINT" | "SIGKILL";
  /** Once a record has this event. */
  readonly afterLog: string;
}

/** A pattern for a value; see `match.ts`. */
export type Pattern = unknown;

/** A record that has to be there: fields by pattern. */
export interface RecordPattern {
  readonly [field: string]: Pattern;
}

/** What has to be seen. */
export interface Expectation {
  /** One of these final states. */
  readonly state?: string | readonly string[];
  /** `zero`, `nonzero`, or the code itself. */
  readonly exit?: "zero" | "nonzero" | number;
  /** XComs of the task afterwards, by key; null for one that must not be there. */
  readonly xcoms?: { readonly [key: string]: Pattern };
  /** Variables afterwards; null for one that must not be there. */
  readonly variables?: { readonly [key: string]: Pattern };
  /** Requests that come in this order, others between them. */
  readonly requests?: readonly RecordPattern[];
  /** Types that are never sent. */
  readonly neverSent?: readonly string[];
  /** The terminal message. */
  readonly terminal?: RecordPattern;
  /** Records that come in this order, others between them. */
  readonly logs?: readonly RecordPattern[];
  /** Records of which none may come. */
  readonly neverLogged?: readonly RecordPattern[];
  /** So many records of this event come, their field `n` counting from 0 in order. */
  readonly counted?: { readonly event: string; readonly count: number };
  /** The attempt ends within this many seconds of the moment that the case is about. */
  readonly withinSeconds?: number;
  /** The link was broken on purpose: what the runtime leaves unsaid is no fault. */
  readonly brokenLink?: boolean;
}

/** One case: data, as it stands in a file of `cases/`. */
export interface ConformanceCase {
  /** A path, e.g. `logs/early/kept-in-order`. */
  readonly id: string;
  /** What holds where it passes, as a sentence. */
  readonly title: string;
  readonly tier: Tier;
  /** Dimensions of the capability matrix that it speaks for, by name. */
  readonly proves: readonly string[];
  /** Schema versions it is run with. Default both. */
  readonly versions: readonly SchemaVersion[];
  /** The task of the Dag `conformance` that is run. */
  readonly task: string;
  /** Fields of the task instance. */
  readonly instance: {
    readonly tryNumber?: number;
    readonly mapIndex?: number;
    readonly shouldRetry?: boolean;
    readonly nextMethod?: string;
    readonly nextKwargs?: { readonly [name: string]: unknown };
  };
  readonly argBindings?: readonly unknown[];
  /** Keys that the task is told to delete by itself. */
  readonly xcomKeysToClear?: readonly string[];
  /** In the format of `seedStore`. */
  readonly store: { readonly [part: string]: unknown };
  readonly link: LinkPlan;
  readonly signal?: SignalPlan;
  readonly logLevel?: string;
  readonly namespaceLevels?: string;
  /** The addresses that the runtime is given. Default `127.0.0.1:PORT`. */
  readonly address: "ipv4" | "ipv6" | "name";
  /** Nobody reads the log channel so long, in milliseconds. */
  readonly slowLogsMs?: number;
  /** After so many seconds the attempt is ended and has failed. Default 20. */
  readonly deadlineSeconds: number;
  readonly expect: Expectation;
}
