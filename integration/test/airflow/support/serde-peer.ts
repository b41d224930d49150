import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { decodeResponseFrame, encodeRequestFrame, type WireValue } from "@parlance/framing";

const SCRIPT = fileURLToPath(
  new URL("../../../../packages/test-kit/peers/airflow/serde_values.py", import.meta.url),
);

/** The real serde of one Airflow, asked one question after the other in one process. */
export class SerdePeer {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  /** @param python - of the Airflow */
  constructor(python: string) {
    const child = spawn(python, [SCRIPT], { stdio: ["pipe", "pipe", "inherit"] });
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /** What Python's serde makes of a Python expression. */
  async write(expression: string): Promise<WireValue> {
    return fromWire(String((await this.#ask({ write: expression }))["wire"]));
  }

  /** What Python reads from a wire value: type and repr. */
  async read(value: WireValue): Promise<{ readonly type: string; readonly repr: string }> {
    const { type, repr, error } = await this.#ask({ read: toWire(value) });
    return error === undefined
      ? { type: String(type), repr: String(repr) }
      : { type: "error", repr: String(error) };
  }

  /** Random values of Python, as it writes them. */
  async random(count: number, seed: number): Promise<readonly WireValue[]> {
    const { wires } = await this.#ask({ random: count, seed });
    return (wires as string[]).map(fromWire);
  }

  /** Which of the random values are others now, as pairs of repr. */
  async compare(values: readonly WireValue[]): Promise<readonly (readonly [string, string])[]> {
    const { different, error } = await this.#ask({ compare: values.map(toWire) });
    if (error !== undefined) throw new Error(String(error));
    return different as readonly [string, string][];
  }

  close(): void {
    this.#child.stdin?.end();
  }

  async #ask(question: object): Promise<Readonly<Record<string, unknown>>> {
    this.#child.stdin?.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error("the Python with the real serde has ended");
    return JSON.parse(value) as Record<string, unknown>;
  }
}

function toWire(value: WireValue): string {
  const frame = encodeRequestFrame({ id: 0, body: { value } });
  return Buffer.from(frame).subarray(4).toString("base64");
}

function fromWire(text: string): WireValue {
  const { body } = decodeResponseFrame(Buffer.from(text, "base64"));
  return body?.["value"] as WireValue;
}
