// npm run build: installs what is missing and compiles all packages and their tests,
// and bundles the page of `parlance dev`.
import { ensureBuilt } from "./lib/workspace.mjs";

await ensureBuilt();
