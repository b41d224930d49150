import type { Direction } from "@parlance/protocol";

/** What the third element of a frame is called; whom the frame goes to decides it. */
export function thirdElement(direction: Direction): "carrier" | "error" {
  return direction === "to-supervisor" ? "carrier" : "error";
}
