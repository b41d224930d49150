import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { DagDetail, StartRun } from "../../../../src/api/types.ts";
import {
  fieldValue,
  isFilledIn,
  type ParamField,
  paramField,
} from "../../../../src/page-model/param-fields.ts";
import { plainLine, plainText } from "../../../../src/page-model/plain-text.ts";
import { ParamInput } from "./param-input.tsx";
import { startRun } from "./start-run.ts";

/** The form of a run: params, conf, how fast waits go, and of plain tasks which. */
export function StartDialog({
  dag,
  onClose,
}: {
  dag: DagDetail;
  onClose: () => void;
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const fields = dag.params.map(paramField);
  const [texts, setTexts] = useState(() => new Map(fields.map((one) => [one.name, one.initial])));
  const [conf, setConf] = useState("{}");
  const [scale, setScale] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(dag.tasks.map(({ taskId }) => taskId)),
  );
  const [problem, setProblem] = useState<string>();
  useEffect(() => dialog.current?.showModal(), []);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const textOf = ({ name }: ParamField): string => texts.get(name) ?? "";
      const filled = fields.filter((field) => isFilledIn(field, textOf(field)));
      const values = filled.map((field) => [field.name, fieldValue(field, textOf(field))]);
      const isPart = dag.kind === "plain" && chosen.size < dag.tasks.length;
      const request: StartRun = {
        conf: { ...confValue(conf), ...Object.fromEntries(values) },
        ...(scale.trim() !== "" && { timeScale: scaleValue(scale) }),
        ...(isPart && { taskIds: [...chosen] }),
      };
      await startRun(dag.dagId, request);
      dialog.current?.close();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="start-title" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <h2 id="start-title">Run {plainLine(dag.displayName)}</h2>
        {fields.map((field) => (
          <ParamInput
            key={field.name}
            field={field}
            text={texts.get(field.name) ?? ""}
            onText={(text) => setTexts(new Map(texts).set(field.name, text))}
          />
        ))}
        {dag.kind === "plain" && (
          <fieldset class="choices">
            <legend>Tasks</legend>
            {dag.tasks.map(({ taskId }) => (
              <label key={taskId}>
                <input
                  type="checkbox"
                  checked={chosen.has(taskId)}
                  onChange={() => setChosen(toggled(chosen, taskId))}
                />
                {plainLine(taskId)}
              </label>
            ))}
          </fieldset>
        )}
        <label class="field">
          <span>
            Conf <small class="dim">a JSON object; tasks read it beside the params</small>
          </span>
          <textarea
            rows={3}
            spellcheck={false}
            value={conf}
            onInput={({ currentTarget }) => setConf(currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>
            Time scale of waits{" "}
            <small class="dim">1 as on Airflow, 0.1 ten times quicker, 0 at once</small>
          </span>
          <input
            inputMode="decimal"
            placeholder="as the server was started"
            value={scale}
            onInput={({ currentTarget }) => setScale(currentTarget.value)}
          />
        </label>
        {problem !== undefined && (
          <p class="problem" role="alert">
            {plainText(problem)}
          </p>
        )}
        <div class="dialog-buttons">
          <button type="button" onClick={() => dialog.current?.close()}>
            Leave it
          </button>
          <button type="submit" class="primary">
            Run
          </button>
        </div>
      </form>
    </dialog>
  );
}

function confValue(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text.trim() === "" ? "{}" : text);
  } catch {
    throw new SyntaxError("Conf: this is no JSON");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new SyntaxError("Conf: a JSON object, please");
}

function scaleValue(text: string): number {
  const scale = Number(text);
  if (scale >= 0 && scale <= 1_000) return scale;
  throw new SyntaxError("Time scale: a number from 0 to 1000, please");
}

function toggled(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}
