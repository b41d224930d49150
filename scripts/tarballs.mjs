// npm run tarballs: the public packages as files that npm installs, while no registry has them.
import { join, relative } from "node:path";
import { packTarballs } from "./lib/tarballs.mjs";
import { ensureBuilt, ROOT } from "./lib/workspace.mjs";

await ensureBuilt();
const tarballs = await packTarballs(join(ROOT, ".tarballs"));
for (const { name, tarball } of tarballs) {
  console.log(`${name.padEnd(22)} ${relative(process.cwd(), tarball)}`);
}
console.log(`
In the folder of your tasks, one that parlance init has made or any other:

  npm install ${join(ROOT, ".tarballs")}/*.tgz
`);
