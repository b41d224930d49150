export { emitJson, emitText, jsonText } from "@parlance/coordinator/text";
