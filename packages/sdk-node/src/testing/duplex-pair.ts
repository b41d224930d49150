import { Duplex } from "node:stream";

/** Two ends of a link within this process: what is written to one is read from the other. */
export function duplexPair(): readonly [Duplex, Duplex] {
  const ends: Duplex[] = [];
  const end = (other: number): Duplex =>
    new Duplex({
      read: () => {},
      write: (chunk, _encoding, done) => {
        ends[other]?.push(chunk);
        done();
      },
      final: (done) => {
        ends[other]?.push(null);
        done();
      },
    });
  ends.push(end(1), end(0));
  return ends as unknown as readonly [Duplex, Duplex];
}
