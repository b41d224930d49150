import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Route, routeHash } from "../../../src/page-model/route.ts";
import { go } from "../state/route.ts";

interface PanelProps {
  readonly title: ComponentChildren;
  /** Where closing it leads. */
  readonly back: Route;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** What was chosen in the grid. It gets the focus when it opens; Escape closes it and gives the focus back. */
export function Panel({ title, back, actions, children }: PanelProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        // What opened it may be gone, as a panel before this one: then the grid's own stop.
        const isThere = before instanceof HTMLElement && before.isConnected;
        const isUseful = isThere && before !== document.body;
        const stop = document.querySelector<HTMLElement>(".grid [tabindex='0']");
        (isUseful ? before : stop)?.focus({ preventScroll: true });
      });
    };
  }, []);
  return (
    <section
      class="panel"
      aria-labelledby="panel-title"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        go(back);
      }}
    >
      <div class="panel-head">
        <h2 id="panel-title" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {actions}
        <a class="button quiet" href={routeHash(back)} aria-label="Close" title="Close (Esc)">
          ✕
        </a>
      </div>
      {children}
    </section>
  );
}
