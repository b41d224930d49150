import { createServer } from "node:net";
import type { ConformanceCase, Need } from "../case/case-types.ts";
import { findOwnBundle } from "./own-bundle.ts";
import type { RuntimeUnderTest } from "./run-case.ts";

/** Why a case does not apply to a runtime on this machine; undefined where it does. */
export async function whyNotApplicable(
  { needs }: ConformanceCase,
  runtime: RuntimeUnderTest,
): Promise<string | undefined> {
  for (const need of needs) {
    const reason = await LACKS[need](runtime);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const LACKS: { readonly [N in Need]: (runtime: RuntimeUnderTest) => Promise<string | undefined> } =
  {
    bundle: async (runtime) =>
      (await findOwnBundle(runtime)) === undefined
        ? "the command is no bundle, nor does it start one"
        : undefined,
    ipv6: async () => ((await canListen("::1")) ? undefined : "this machine has no IPv6"),
  };

function canListen(host: string): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(0, host, () => server.close(() => resolve(true)));
  });
}
