import { validate as validSetFields } from "@parlance/protocol/validators/2026-06-16/SetRenderedFields.js";
import { validate as validSetMapIndex } from "@parlance/protocol/validators/2026-06-16/SetRenderedMapIndex.js";
import { checkJsonValue } from "../../values/encode-value.ts";
import type { JsonMap } from "../api/json.ts";
import type { Requester } from "../requester.ts";

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

  async setFields(fields: JsonMap): Promise<void> {
    checkJsonValue(fields, "setRenderedFields");
    const request = { type: "SetRenderedFields", rendered_fields: fields };
    await this.#requester.send(request, validSetFields);
  }
}
