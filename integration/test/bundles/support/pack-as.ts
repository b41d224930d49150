import { packBundle } from "@parlance/bundle";

// Packs once, as another user where one is given, and tells what came of it.
//   pack-as.js EXECUTABLE OUT [USER]

const [executable = "", out = "", user = ""] = process.argv.slice(2);

// After everything is loaded: somebody else may not be let into the checkout.
if (user !== "") {
  process.setegid?.(Number(user));
  process.seteuid?.(Number(user));
}
try {
  await packBundle({ executable, metadata: { dags: {} }, out });
  console.log("packed");
} catch (error) {
  const { code, message } = error as { code: string; message: string };
  console.log(`${code}: ${message}`);
}
