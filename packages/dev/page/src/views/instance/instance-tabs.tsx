import type { JSX } from "preact";
import { type InstancePart, type Route, routeHash } from "../../../../src/page-model/route.ts";

const PARTS: readonly (readonly [InstancePart, string])[] = [
  ["log", "Log"],
  ["attempts", "Attempts"],
  ["xcoms", "XComs"],
  ["frames", "Frames"],
];

/** The parts of what is known of an instance. */
export function InstanceTabs({ route }: { route: Extract<Route, { view: "dag" }> }): JSX.Element {
  return (
    <nav class="tabs" aria-label="Parts of this task">
      {PARTS.map(([part, label]) => (
        <a
          key={part}
          href={routeHash({ ...route, part })}
          aria-current={route.part === part ? "page" : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}
