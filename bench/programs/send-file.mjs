// Connects, sends a file and ends:  send-file.mjs PORT FILE
import { createReadStream } from "node:fs";
import { connect } from "node:net";

const [port, file] = process.argv.slice(2);
const socket = connect(Number(port), "127.0.0.1");
createReadStream(file, { highWaterMark: 2 ** 20 }).pipe(socket);
