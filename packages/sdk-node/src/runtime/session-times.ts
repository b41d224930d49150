/**
 * What remains after the handler's grace: 1.3 s for the report, 0.4 s for the output. With the
 * default grace that ends at 4.7 s, and stock kills 5 s after its SIGTERM.
 */
export const REPORT_MS = 1300;
/** See {@link REPORT_MS}. */
export const OUTPUT_MS = 400;
/** A reader that takes nothing for so long is taken for dead. */
export const STALL_MS = 30_000;
/** How long spans may take to be exported, and when there is no time. */
export const SPANS_MS = 2000;
/** See {@link SPANS_MS}. */
export const SPANS_URGENT_MS = 200;
