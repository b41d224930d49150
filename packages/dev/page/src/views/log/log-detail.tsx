import type { JSX } from "preact";
import type { LogEntry } from "../../../../src/api/types.ts";
import { toJsonNode } from "../../../../src/page-model/exact-json.ts";
import { eventText, extraFields } from "../../../../src/page-model/log-filter.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";
import { DetailPane } from "../../parts/detail-pane.tsx";
import { JsonTree, LongText } from "../../parts/json-tree.tsx";

/** A line of the log whole, with its fields. */
export function LogDetail({
  entry,
  onClose,
}: {
  entry: LogEntry;
  onClose: () => void;
}): JSX.Element {
  const { timestamp, level, logger } = entry;
  const fields = extraFields(entry);
  return (
    <DetailPane
      label="The line whole"
      title={plainLine([timestamp, level, logger].filter(Boolean).join(" · "))}
      onClose={onClose}
      listId="log-lines"
    >
      <pre class="whole">
        <LongText text={eventText(entry)} />
      </pre>
      {fields.length > 0 && <JsonTree node={toJsonNode(Object.fromEntries(fields))} />}
    </DetailPane>
  );
}
