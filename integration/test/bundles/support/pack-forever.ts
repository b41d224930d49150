import { packBundle } from "@parlance/bundle";

// Packs two executables in turns to one place until it is killed, or N times.
//   pack-forever.js EXECUTABLE EXECUTABLE OUT [N]
// A line for each bundle that is in place.

const [one = "", other = "", out = "", times = "Infinity"] = process.argv.slice(2);

for (let count = 0; count < Number(times); count++) {
  await packBundle({ executable: count % 2 === 0 ? one : other, metadata: { dags: {} }, out });
  console.log("packed");
}
