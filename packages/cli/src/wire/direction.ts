/** Whom a frame goes to; it decides what the third element means. */
export type WireDirection = "to-supervisor" | "to-task";

/** What the third element of a frame is called. */
export function thirdElement(direction: WireDirection): "carrier" | "error" {
  return direction === "to-supervisor" ? "carrier" : "error";
}
