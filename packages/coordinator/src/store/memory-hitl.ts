import {
  type HitlResponse,
  type HitlStore,
  requestedDetail,
  type StoredHitlDetail,
} from "./hitl-store.ts";
import { MemoryTable } from "./memory-table.ts";
import { checkKeys } from "./series.ts";

/** Questions to people, in memory. */
export class MemoryHitl implements HitlStore {
  readonly #rows = new MemoryTable<StoredHitlDetail>();

  async get(tiId: string): Promise<StoredHitlDetail | undefined> {
    return this.#rows.get([tiId]);
  }

  async request(
    detail: Omit<StoredHitlDetail, "response">,
    { refresh = false }: { readonly refresh?: boolean } = {},
  ): Promise<StoredHitlDetail> {
    checkKeys("hitl.request", [detail.tiId]);
    const kept = requestedDetail(this.#rows.get([detail.tiId]), detail, refresh);
    this.#rows.set([detail.tiId], kept);
    return kept;
  }

  async respond(tiId: string, response: HitlResponse): Promise<boolean> {
    const before = this.#rows.get([tiId]);
    if (before === undefined || before.response !== null) return false;
    this.#rows.set([tiId], { ...before, response });
    return true;
  }

  async list({ pending }: { readonly pending?: boolean } = {}): Promise<StoredHitlDetail[]> {
    return this.#rows
      .rows()
      .filter(({ response }) => pending === undefined || (response === null) === pending);
  }
}
