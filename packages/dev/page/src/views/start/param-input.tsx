import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { ParamField } from "../../../../src/page-model/param-fields.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";

/** One param of the form. */
export function ParamInput({
  field,
  text,
  onText,
}: {
  field: ParamField;
  text: string;
  onText: (text: string) => void;
}): JSX.Element {
  const { name, description, hint, isRequired } = field;
  const id = useId();
  return (
    <label class="field" for={id}>
      <span>
        {plainLine(name)}{" "}
        <small class="dim">
          {plainLine(
            [description, hint, isRequired ? "must be given" : ""]
              .filter((part) => part !== null && part !== "")
              .join("; "),
          )}
        </small>
      </span>
      <Input id={id} field={field} text={text} onText={onText} />
    </label>
  );
}

function Input({
  id,
  field,
  text,
  onText,
}: Parameters<typeof ParamInput>[0] & { id: string }): JSX.Element {
  const { kind, choices, isRequired, isSecret } = field;
  if (kind === "choice" || kind === "boolean") {
    const given = kind === "boolean" ? ["true", "false"] : choices;
    const values = isRequired || isSecret ? ["", ...given] : given;
    return (
      <select id={id} value={text} onChange={({ currentTarget }) => onText(currentTarget.value)}>
        {values.map((value) => (
          <option key={value} value={value}>
            {plainLine(value)}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "json") {
    return (
      <textarea
        id={id}
        rows={text.includes("\n") || text.length > 60 ? 4 : 1}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    );
  }
  return (
    <input
      id={id}
      {...(isSecret ? { type: "password" as const } : {})}
      autocomplete="off"
      placeholder={isSecret ? "as the Dag has it" : ""}
      inputMode={kind === "text" ? "text" : "decimal"}
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  );
}
