export { bytesEqual, fromHex, toHex } from "./bytes.ts";
export { rejects, throws } from "./rejects.ts";
export { temporaryFolder } from "./temporary-folder.ts";
