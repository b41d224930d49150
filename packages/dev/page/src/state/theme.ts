import { effect, type Signal, signal } from "@preact/signals";

/** `auto`: as the reader's system. */
export type Theme = "auto" | "light" | "dark";

const KEY = "parlance-theme";

/** The colours, kept in this browser. */
export const theme: Signal<Theme> = signal(stored());

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
  try {
    if (theme.value === "auto") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme.value);
  } catch {
    // A browser that keeps nothing shows the colours all the same.
  }
});

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "auto";
  } catch {
    return "auto";
  }
}
