import type { JSX } from "preact";
import { type Theme, theme } from "../../state/theme.ts";

const NEXT: Readonly<Record<Theme, Theme>> = { auto: "light", light: "dark", dark: "auto" };
const SIGNS: Readonly<Record<Theme, string>> = { auto: "◐", light: "○", dark: "●" };

/** Goes round: as the system has it, light, dark. */
export function ThemeSwitch(): JSX.Element {
  const now = theme.value;
  return (
    <button
      type="button"
      class="quiet"
      aria-label={`Colours: ${now === "auto" ? "as the system" : now}`}
      title={`Colours: ${now === "auto" ? "as the system" : now}`}
      onClick={() => {
        theme.value = NEXT[now];
      }}
    >
      {SIGNS[now]}
    </button>
  );
}
