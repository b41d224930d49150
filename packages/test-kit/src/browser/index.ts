export { bothErrors } from "./both-errors.ts";
export type { AccessibilityOptions } from "./find-violations.ts";
export { openBrowser, type TestBrowser } from "./open-browser.ts";
export type { TestPage, TestPageOptions } from "./test-page.ts";
