import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@parlance/test-kit";

const SCRIPT = fileURLToPath(
  new URL("../../../../packages/test-kit/peers/airflow/dag_rules.py", import.meta.url),
);

/** A Dag in shape: what there is and what comes before what. */
export interface DagShape {
  readonly nodes: readonly {
    readonly id: string;
    readonly kind: "task" | "group" | "branch" | "short-circuit";
    readonly parent?: string | undefined;
  }[];
  /** What comes directly before what. */
  readonly pairs: readonly (readonly [first: string, second: string])[];
  /** The branch or short circuit that is run. */
  readonly chooser: string;
  readonly chosen: readonly string[] | null;
  /** Of the short circuit. */
  readonly ignore: boolean;
}

/** Ids of what comes before and after a group as a whole. */
export interface GroupRelativeIds {
  readonly upstreamGroupIds: readonly string[];
  readonly downstreamGroupIds: readonly string[];
  readonly upstreamTaskIds: readonly string[];
  readonly downstreamTaskIds: readonly string[];
}

/** What Airflow makes of such a shape. */
export interface ShapeAnswer {
  readonly edges: readonly (readonly [string, string])[];
  readonly groups: { readonly [id: string]: GroupRelativeIds };
  readonly skipped: readonly string[];
  readonly note: { readonly [word: string]: readonly string[] } | null;
}

/** What is asked, and what is answered in the same order. */
export interface DagRules {
  readonly rules: readonly ShapeAnswer[];
  readonly combinations: readonly (readonly { readonly [name: string]: unknown }[])[];
  readonly cron: readonly boolean[];
}

/** Asks Airflow's own code. @param python - of a peer */
export async function askDagRules(
  python: string,
  asked: {
    readonly rules: readonly DagShape[];
    readonly combinations: readonly object[];
    readonly cron: readonly string[];
  },
): Promise<DagRules> {
  const env = { ...process.env, AIRFLOW_HOME: temporaryFolder("parlance-dag-rules") };
  const options = { env, maxBuffer: 2 ** 28, timeout: 600_000, killSignal: "SIGKILL" } as const;
  const stdout = await new Promise<string>((resolve, reject) => {
    const child = execFile(python, [SCRIPT], options, (error, out, stderr) => {
      if (error === null) resolve(out);
      else reject(new Error(`${error.message}\n${stderr.slice(-4_000)}`));
    });
    child.stdin?.end(JSON.stringify(asked));
  });
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as DagRules;
}
