// Measures one row in a process of its own, so that no row inherits another one's heap, compiled
// code or sockets:  row-process.mjs NAME, the request and the answer as messages.
process.once("message", async ({ name, peers }) => {
  try {
    const { row } = await import(`../rows/${name}.mjs`);
    const note = (line) => console.error(`  ${line}`);
    const figures = await row.measure({ peers, note });
    process.send({ figures }, () => process.exit());
  } catch (error) {
    process.send({ error: error.stack ?? String(error) }, () => process.exit(1));
  }
});
