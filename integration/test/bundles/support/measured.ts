import { BundleCache, findBundle, packBundle, readBundle, verifyBundle } from "@parlance/bundle";

// Does one thing with a file in a process of its own and tells the most memory it had.
//   measured.js pack EXECUTABLE OUT | read FILE | verify FILE | find FILE
// stdout: {"peakBytes", "result"}

const [task = "", path = "", out = ""] = process.argv.slice(2);
const metadata = { sdk: { supervisor_schema_version: "2026-06-16" }, dags: { d1: {} } };

const tasks: Readonly<Record<string, () => Promise<unknown>>> = {
  pack: async () => (await packBundle({ executable: path, metadata, out })).size,
  read: async () => (await readBundle(path)).verified,
  verify: async () => (await verifyBundle(path)).verified,
  find: async () => {
    const found = await findBundle({ roots: [path], dagId: "d1", cache: new BundleCache() });
    return found.path !== null;
  },
};
const result = await tasks[task]?.();
console.log(JSON.stringify({ peakBytes: process.resourceUsage().maxRSS * 1024, result }));
