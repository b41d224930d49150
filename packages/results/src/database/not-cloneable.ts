/**
 * Put as an own property of what holds connections: `structuredClone` and `postMessage` would copy
 * an empty shell of it into another thread. They fail at a function instead, with its text in the
 * message, which therefore says it all.
 */
export function aResultStoreBelongsToItsThread_openOneInEachThread(): void {}
