/** Names one XCom; what is left out is that of the calling task. */
export interface XComAddress {
  /** @default "return_value" */
  readonly key?: string | undefined;
  readonly dagId?: string | undefined;
  readonly runId?: string | undefined;
}

/** What every call that reads XComs takes. */
export interface ReadXComOptions extends XComAddress {
  readonly taskId: string;
  /** The value as Airflow stores it, with Python's wrappers in it. @default false */
  readonly raw?: boolean | undefined;
  /**
   * In a loop of Airflow 3.4: what the iteration before wrote. Needs schema 2026-10-30.
   *
   * @default false
   */
  readonly previousIteration?: boolean | undefined;
}

/** Which XCom to read. */
export interface GetXComOptions extends ReadXComOptions {
  /**
   * Instance of a mapped task that wrote it. Left out or null means a task that is not mapped:
   * the caller's own index is never filled in.
   */
  readonly mapIndex?: number | null | undefined;
  /** Look at earlier runs too, and take the latest. @default false */
  readonly includePriorDates?: boolean | undefined;
}

/** Which XCom to write; the calling task's own when nothing is said. */
export interface SetXComOptions extends XComAddress {
  readonly key: string;
  readonly taskId?: string | undefined;
  /** @default the calling task's own index, when it is the calling task's XCom */
  readonly mapIndex?: number | null | undefined;
  /** Number of elements, for tasks that are expanded over this value. */
  readonly mappedLength?: number | undefined;
  /** Mark it as the result of the whole Dag run. @default false */
  readonly isDagResult?: boolean | undefined;
}

/** Which XCom to delete; the calling task's own when nothing is said. */
export type DeleteXComOptions = Omit<SetXComOptions, "mappedLength" | "isDagResult">;

/** Every XCom that the instances of a mapped task wrote under one key. */
export type XComSeriesOptions = ReadXComOptions;

/** A part of such a series, as Python slices: negative numbers count from the end. */
export interface XComSliceOptions extends XComSeriesOptions {
  readonly start?: number | null | undefined;
  readonly stop?: number | null | undefined;
  readonly step?: number | null | undefined;
  readonly includePriorDates?: boolean | undefined;
}

/** Which series, and how much of it a request brings while it is read through. */
export interface XComSequenceOptions extends XComSeriesOptions {
  /** Values a request. @default 50 */
  readonly pageSize?: number | undefined;
}

/**
 * The XComs of a mapped task, read as they are needed: `for await (const value of sequence)`.
 * In order of the map index. Nothing is asked before it is used.
 */
export interface XComSequence<Value> extends AsyncIterable<Value> {
  /** How many there are; asked each time. */
  count(): Promise<number>;
  /** One by its place, a negative number from the end; undefined when there is none. */
  at(index: number): Promise<Value | undefined>;
  /** A part, as Python slices. */
  slice(
    start?: number | null,
    stop?: number | null,
    step?: number | null,
  ): Promise<readonly Value[]>;
}
