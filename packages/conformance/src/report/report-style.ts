/** The style of the HTML report: the colours of the reader's system, one column on a narrow screen. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --soft: #f1f3f5; --line: #c4cad1; --faint: #56606b; --good: #0b6b2e; --bad: #b00020; --link: #0b57d0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ed; --paper: #14171a; --soft: #20252a; --line: #48515a; --faint: #a3adb8; --good: #6fd08c; --bad: #ff8a8a; --link: #8ab4f8; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, Arial, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
header, main { max-width: 75rem; margin: 0 auto; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
h4 { margin: 0 0 .25rem; }
small { font-weight: normal; }
.passed { color: var(--good); font-weight: bold; }
.failed { color: var(--bad); font-weight: bold; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; overflow-wrap: normal; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
tbody th { font-weight: normal; min-width: 9rem; }
td { white-space: nowrap; }
thead th { color: var(--faint); font-size: .85rem; white-space: nowrap; }
article { margin: 1rem 0; padding: .5rem 1rem; border: 1px solid var(--line); border-left: .3rem solid var(--bad); }
.finding { margin: 1rem 0; padding: .5rem; background: var(--soft); }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: .5rem 1rem; margin: 0; }
dt { color: var(--faint); font-size: .85rem; }
dd { margin: 0; font-family: ui-monospace, monospace; white-space: pre-wrap; }
figure { margin: 1rem 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: .25rem 1rem; }
figcaption { grid-column: 1 / -1; }
pre { margin: 0; padding: .5rem; max-height: 24rem; overflow: auto; background: var(--soft); font: .85rem/1.4 ui-monospace, monospace; white-space: pre-wrap; }
summary { cursor: pointer; color: var(--link); padding: .25rem 0; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`;
