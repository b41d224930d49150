import type { TaskInstanceRef } from "./task-store.ts";

/** A person, as Airflow's HITL messages name one. */
export interface HitlUser {
  readonly id: string;
  readonly name: string;
}

/** What a person answered. */
export interface HitlResponse {
  readonly chosenOptions: readonly string[];
  readonly paramsInput: { readonly [key: string]: unknown };
  readonly respondedBy: HitlUser | null;
  /** ISO 8601 text with a zone. */
  readonly respondedAt: string;
}

/** A question of a task instance to a person. */
export interface StoredHitlDetail {
  /** UUID of the try that asks. */
  readonly tiId: string;
  readonly taskInstance: TaskInstanceRef;
  readonly options: readonly string[];
  readonly subject: string;
  readonly body: string | null;
  readonly defaults: readonly string[] | null;
  readonly multiple: boolean;
  readonly params: { readonly [key: string]: unknown };
  readonly assignedUsers: readonly HitlUser[];
  /** ISO 8601 text with a zone. */
  readonly createdAt: string;
  readonly response: HitlResponse | null;
}

/** Questions to people ("human in the loop"), one a try. */
export interface HitlStore {
  get(tiId: string): Promise<StoredHitlDetail | undefined>;
  /**
   * Asks. An answer to an earlier question of the same try is forgotten; the question itself is
   * that of the earlier one (3.3), or with `refresh` the new one (3.4).
   */
  request(
    detail: Omit<StoredHitlDetail, "response">,
    options?: { readonly refresh?: boolean },
  ): Promise<StoredHitlDetail>;
  /** Answers. False where nothing was asked, or there is an answer already. */
  respond(tiId: string, response: HitlResponse): Promise<boolean>;
  /** In order of asking. With `pending` only those without an answer, or only those with one. */
  list(filter?: { readonly pending?: boolean }): Promise<StoredHitlDetail[]>;
}

/** What {@link HitlStore.request} leaves. */
export function requestedDetail(
  before: StoredHitlDetail | undefined,
  detail: Omit<StoredHitlDetail, "response">,
  refresh: boolean,
): StoredHitlDetail {
  if (before === undefined || refresh) return { ...detail, response: null };
  return { ...before, response: null };
}
