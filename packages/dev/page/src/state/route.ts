import { type Signal, signal } from "@preact/signals";
import { parseRoute, type Route, routeHash } from "../../../src/page-model/route.ts";

/** What is shown. */
export const route: Signal<Route> = signal(parseRoute(location.hash));

addEventListener("hashchange", () => {
  route.value = parseRoute(location.hash);
});

/** Shows something else; it can be gone back from. */
export function go(target: Route): void {
  location.hash = routeHash(target);
}
