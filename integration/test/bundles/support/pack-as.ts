import { packBundle } from "@parlance/bundle";

// Packs once, as another user where this one is root, and tells what came of it.
//   pack-as.js EXECUTABLE OUT

const NOBODY = 65_534;
const [executable = "", out = ""] = process.argv.slice(2);

// After everything is loaded: somebody else may not be let into the checkout.
if (process.geteuid?.() === 0) {
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
}
try {
  await packBundle({ executable, metadata: { dags: {} }, out });
  console.log("packed");
} catch (error) {
  const { code, message } = error as { code: string; message: string };
  console.log(`${code}: ${message}`);
}
