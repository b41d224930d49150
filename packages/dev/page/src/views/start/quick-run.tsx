import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { DagDetail } from "../../../../src/api/types.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";
import { apiPath, getJson } from "../../client/request.ts";
import { noteError } from "../../state/announce.ts";
import { StartDialog } from "./start-dialog.tsx";
import { startRun } from "./start-run.ts";

/** Runs a Dag: at once where nothing must be asked, else the form comes first. */
export function QuickRun({ dagId, dag }: { dagId: string; dag?: DagDetail }): JSX.Element {
  const [form, setForm] = useState<DagDetail>();
  const [isBusy, setIsBusy] = useState(false);
  const begin = async (asks: boolean): Promise<void> => {
    setIsBusy(true);
    try {
      const detail = dag ?? (await getJson<DagDetail>(apiPath("dags", dagId)));
      if (asks || detail.params.some(({ isRequired }) => isRequired)) setForm(detail);
      else await startRun(dagId, {});
    } catch (error) {
      noteError(error);
    }
    setIsBusy(false);
  };
  return (
    <div class="run-buttons">
      <button type="button" class="primary" disabled={isBusy} onClick={() => begin(false)}>
        Run<span class="unseen"> {plainLine(dagId)}</span>
      </button>
      <button type="button" disabled={isBusy} onClick={() => begin(true)}>
        Run with …<span class="unseen"> for {plainLine(dagId)}</span>
      </button>
      {form !== undefined && <StartDialog dag={form} onClose={() => setForm(undefined)} />}
    </div>
  );
}
