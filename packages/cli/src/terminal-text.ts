export { cutText, escapeControls } from "@parlance/coordinator/text";
