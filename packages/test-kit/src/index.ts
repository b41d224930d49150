export { bytesEqual, fromHex, toHex } from "./bytes.ts";
export { rejects, throws } from "./rejects.ts";
export { skip } from "./skip.ts";
export { temporaryFolder } from "./temporary-folder.ts";
