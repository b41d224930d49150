import type { ComponentChildren, JSX } from "preact";

interface ScrollBoxProps {
  readonly label: string;
  readonly name?: string;
  readonly children: ComponentChildren;
}

/** What may be wider than the page. It scrolls, so a keyboard can reach it. */
export function ScrollBox({ label, name = "", children }: ScrollBoxProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it only a mouse could scroll
    <section class={`scroll ${name}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
