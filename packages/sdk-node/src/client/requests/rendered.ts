import { validate as validSetFields } from "@parlance/protocol/validators/2026-06-16/SetRenderedFields.js";
import { validate as validSetMapIndex } from "@parlance/protocol/validators/2026-06-16/SetRenderedMapIndex.js";
import type { Requester } from "../requester.ts";
import { checkXComValue, type XComValue } from "../xcom-value.ts";

/** What Airflow's pages show of a task instance. */
export class SupervisorRendered {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  async setMapIndex(text: string): Promise<void> {
    const request = { type: "SetRenderedMapIndex", rendered_map_index: text };
    await this.#requester.send(request, validSetMapIndex);
  }

  async setFields(fields: { readonly [name: string]: XComValue | undefined }): Promise<void> {
    checkXComValue(fields, "setRenderedFields");
    const request = { type: "SetRenderedFields", rendered_fields: fields };
    await this.#requester.send(request, validSetFields);
  }
}
