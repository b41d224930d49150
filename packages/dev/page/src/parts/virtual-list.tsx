import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { keyedIndex } from "./keyed-index.ts";

interface VirtualListProps {
  readonly id: string;
  readonly label: string;
  readonly count: number;
  /** All rows have this height, in pixels. */
  readonly rowHeight: number;
  readonly row: (index: number) => ComponentChildren;
  /** The row that the arrow keys are at; -1 for none, which Escape leads to. */
  readonly active: number;
  readonly onActive: (index: number) => void;
  /** Keep the end in sight when rows are added. */
  readonly follow?: boolean;
  /** The reader scrolled away from the end, or back to it. */
  readonly onFollow?: (follow: boolean) => void;
}

const OVERSCAN = 8;

/**
 * A list of which only what is in sight is in the document: 100,000 rows cost as much as 50. A list box to the
 * keyboard: arrows, page keys, Home and End go through it.
 */
export function VirtualList(props: VirtualListProps): JSX.Element {
  const { id, label, count, rowHeight, row, active, onActive, follow = false, onFollow } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(400);
  const last = useRef({ top: 0, count });
  // Keys may come quicker than frames: the next one starts where the last one led.
  const cursor = useRef(active);
  cursor.current = active;

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    setHeight(element.clientHeight);
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && follow) element.scrollTop = element.scrollHeight;
    last.current.count = count;
  }, [follow, count, height]);
  useEffect(() => {
    const element = box.current;
    if (element === null || active < 0) return;
    const place = active * rowHeight;
    if (place < element.scrollTop) element.scrollTop = place;
    const end = place + rowHeight - element.clientHeight;
    if (end > element.scrollTop) element.scrollTop = end;
  }, [active, rowHeight]);

  const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + OVERSCAN);
  // Elements are used again for other rows: making and dropping them is what costs when one scrolls.
  const pool = Math.ceil(height / rowHeight) + 2 * OVERSCAN + 1;
  const rows: JSX.Element[] = [];
  for (let index = first; index < end; index++) {
    rows.push(
      <div
        key={index % pool}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === active}
        aria-setsize={count}
        aria-posinset={index + 1}
        tabIndex={-1}
        class="virtual-row"
        style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
        data-index={index}
      >
        {row(index)}
      </div>,
    );
  }
  const isActiveShown = active >= first && active < end;
  return (
    <div
      ref={box}
      id={id}
      class="virtual"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={isActiveShown ? `${id}-${active}` : undefined}
      onScroll={({ currentTarget }) => {
        const { scrollTop, scrollHeight, clientHeight } = currentTarget;
        setTop(scrollTop);
        // Only a reader scrolls up; a list that got shorter moves by itself.
        const isUp = scrollTop < last.current.top - 1 && last.current.count <= count;
        const isAtEnd = scrollTop + clientHeight >= scrollHeight - rowHeight;
        if (follow && isUp && !isAtEnd) onFollow?.(false);
        last.current.top = scrollTop;
      }}
      onKeyDown={(event) => {
        const page = Math.max(1, Math.floor(height / rowHeight) - 1);
        const isLeft = event.key === "Escape" && cursor.current >= 0;
        const next = isLeft ? -1 : keyedIndex(event, cursor.current, count, page);
        if (next === undefined) return;
        event.preventDefault();
        cursor.current = next;
        if (follow && next < count - 1) onFollow?.(false);
        onActive(next);
      }}
      onClick={(event) => {
        const target = (event.target as Element).closest<HTMLElement>("[data-index]");
        if (target !== null) onActive(Number(target.dataset["index"]));
      }}
    >
      <div class="virtual-space" style={{ height: `${count * rowHeight}px` }}>
        {rows}
      </div>
    </div>
  );
}
