// npm run build: installs what is missing and compiles all packages and their tests.
import { ensureBuilt } from "./lib/workspace.mjs";

await ensureBuilt();
