// Foreign text made safe to print: the entry `@parlance/coordinator/text`, light enough for a command line

export { cutText } from "./text/cut-text.ts";
export { escapeControls } from "./text/escape-controls.ts";
export { emitJson, emitText, jsonText } from "./text/json-text.ts";
