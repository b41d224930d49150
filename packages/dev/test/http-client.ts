import { type IncomingHttpHeaders, request } from "node:http";

/** What a test sends. */
export interface TestRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** What came back, whole. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

/** A client that sends exactly what it is told to: no cookie, no origin of its own. */
export function send(port: number, path: string, options: TestRequest = {}): Promise<TestAnswer> {
  const { method = "GET", headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        let json: unknown;
        try {
          json = JSON.parse(text);
        } catch {
          json = undefined;
        }
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A browser with a session. */
export class SignedIn {
  readonly port: number;
  readonly cookie: string;

  constructor(port: number, cookie: string) {
    this.port = port;
    this.cookie = cookie;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> {
    return send(this.port, path, { headers: { cookie: this.cookie, ...headers } });
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    return send(this.port, path, {
      method: "POST",
      headers: {
        cookie: this.cookie,
        origin: `http://127.0.0.1:${this.port}`,
        "content-type": "application/json",
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }
}

/** Opens the address that was printed, as a browser does. */
export async function signIn(url: string): Promise<SignedIn> {
  const { port, pathname, search } = new URL(url);
  const answer = await send(Number(port), `${pathname}${search}`);
  const cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0];
  if (answer.status !== 303 || cookie === undefined) {
    throw new Error(`signing in was answered with ${answer.status}: ${answer.text}`);
  }
  return new SignedIn(Number(port), cookie);
}
