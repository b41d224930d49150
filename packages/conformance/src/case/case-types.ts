import type { SchemaVersion } from "@parlance/protocol";

/** How binding a case is, in the words of RFC 2119. */
export type Tier = "must" | "should" | "may";

/** The tiers from the most binding one on. */
export const TIERS: readonly Tier[] = ["must", "should", "may"];

/** What the kit does to the bytes on their way to the runtime, and to the link. */
export interface LinkPlan {
  /**
   * How frames are cut into writes: one a byte; the prefix apart; in the middle of the prefix; in the middle of the
   * whole; or as they are (default).
   */
  readonly split?: "bytes" | "prefix" | "in-prefix" | "halves";
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
  /** Sends a frame of an id that was never asked, before the first answer: one that holds nothing, or an error. */
  readonly strayAnswer?: "empty" | "error";
  /** Sends every answer twice. */
  readonly repeatAnswers?: boolean;
  /**
   * Keeps answers back until so many requests wait, or none has come for 700 ms; then all go out in one write, the
   * last one first.
   */
  readonly reverse?: number;
  /** Writes the waiting answers in one piece once so many are there, in their order. */
  readonly coalesce?: number;
  /** Never answers requests of this type. */
  readonly hold?: string;
  /** Answers requests of these types in the kit's own way instead of the supervisor's. */
  readonly replace?: readonly Replacement[];
  /** Ends the comm link at a moment. */
  readonly cut?: Cut;
  /** The log channel ends once so many bytes have come over it. */
  readonly cutLogsAfterBytes?: number;
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
  /** Right after the connection; after the first frame; when a request of this type came; when it was answered. */
  readonly at: "connect" | "startup" | { readonly request: string } | { readonly answer: string };
  /** Sends half of the frame that would come next. */
  readonly halfFrame?: boolean;
  /** Resets the connection instead of closing it. */
  readonly reset?: boolean;
}

/** A signal to the runtime's process, at the one moment that is named. */
export interface SignalPlan {
  readonly name: "SIGTERM" | "SIGINT" | "SIGKILL";
  /** Once a record has this event. */
  readonly afterLog?: string;
  /** Once a request of this type has come. */
  readonly afterRequest?: string;
  /** Once both connections are there. */
  readonly afterConnect?: boolean;
  /** So often. Default 1. */
  readonly times?: number;
}

/** How the runtime is started, where it is not as a supervisor of today does it. */
export interface LaunchPlan {
  /** The host in the addresses. Default `ipv4`: `127.0.0.1`. */
  readonly address?: "ipv4" | "name" | "ipv6-mapped" | "ipv6";
  /** The order of the two arguments. Default `comm-first`. */
  readonly order?: "comm-first" | "logs-first";
  /** `--comm=ADDRESS` (default), or `--comm ADDRESS`. */
  readonly form?: "one-word" | "two-words";
  /** Only the bundle is there, in an empty folder that is the working folder. */
  readonly alone?: boolean;
}

/** What a Dag run is to the task. */
export interface DagRunPlan {
  /** ISO 8601 text, or null for a run that has none. */
  readonly logicalDate?: string | null;
  readonly conf?: { readonly [key: string]: unknown };
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
  /** The third element of every request. */
  readonly carrier?: Pattern;
  /** The metadata of the runtime's own bundle. */
  readonly bundle?: Pattern;
  /** The answer to a request for the Dags of the file, and what holds for each of them. */
  readonly parsed?: ParsedExpectation;
  /** The attempt ends within this many seconds of the moment that the case is about. */
  readonly withinSeconds?: number;
  /** The link was broken on purpose: what the runtime leaves unsaid is no fault. */
  readonly brokenLink?: boolean;
}

/** What a file of Dags has to hold. */
export interface ParsedExpectation {
  /** How many answers come. */
  readonly results?: number;
  /** The body of the answer. */
  readonly result?: Pattern;
  /** The Dag of the contract, as it is serialised: the value of `dag`. */
  readonly dag?: Pattern;
  /** Its tasks by id: the value of `__var`. */
  readonly tasks?: { readonly [taskId: string]: Pattern };
}

/** What a machine or a runtime needs for a case; one that lacks it makes the case not applicable. */
export type Need = "bundle" | "ipv6";

/** One case: data, as it stands in a file of `cases/`. */
export interface ConformanceCase {
  /** A path, e.g. `logs/early/kept-in-order`. */
  readonly id: string;
  /** The id without the variant's name: what a line of docs/wire.md names. */
  readonly family: string;
  /** What holds where it passes, as a sentence. */
  readonly title: string;
  readonly tier: Tier;
  /** Dimensions of the capability matrix that it speaks for, by name. */
  readonly proves: readonly string[];
  /** Schema versions it is run with. Default both. */
  readonly versions: readonly SchemaVersion[];
  /** Without one of these it does not apply. */
  readonly needs: readonly Need[];
  /** `task`: an attempt of a task; `parse`: the process is asked for its Dags. */
  readonly kind: "task" | "parse";
  /** The Dag of the task. */
  readonly dag: string;
  /** The task that is run. */
  readonly task: string;
  /** Fields of the task instance. */
  readonly instance: {
    readonly tryNumber?: number;
    readonly mapIndex?: number;
    readonly shouldRetry?: boolean;
    readonly nextMethod?: string;
    readonly nextKwargs?: { readonly [name: string]: unknown };
  };
  readonly dagRun: DagRunPlan;
  readonly argBindings?: readonly unknown[];
  /** Keys that the task is told to delete by itself. */
  readonly xcomKeysToClear?: readonly string[];
  /** In the format of `seedStore`. */
  readonly store: { readonly [part: string]: unknown };
  readonly link: LinkPlan;
  readonly signal?: SignalPlan;
  readonly logLevel?: string;
  readonly namespaceLevels?: string;
  readonly launch: LaunchPlan;
  /** From the start to both connections, in seconds. Default the deadline. */
  readonly startupSeconds?: number;
  /** Nobody reads the log channel so long, in milliseconds. */
  readonly slowLogsMs?: number;
  /** After so many seconds the attempt is ended and has failed. Default 20. */
  readonly deadlineSeconds: number;
  readonly expect: Expectation;
}
