/** What a new project is filled with. */
export interface ProjectNames {
  /** npm package name. */
  readonly packageName: string;
  readonly dagId: string;
  /** Version of the @parlance packages to depend on. */
  readonly version: string;
}

/** The files of a new project, by path. */
export function projectFiles(names: ProjectNames): Readonly<Record<string, string>> {
  return {
    "package.json": packageJson(names),
    "tsconfig.json": TSCONFIG,
    ".gitignore": "node_modules/\ndist/\n",
    "store.json": STORE,
    "src/tasks.ts": tasks(names),
    [`dags/${names.dagId}.py`]: stubDag(names),
    "README.md": readme(names),
  };
}

function packageJson({ packageName, dagId, version }: ProjectNames): string {
  const manifest = {
    name: packageName,
    version: "0.1.0",
    private: true,
    type: "module",
    scripts: {
      start: `parlance run src/tasks.ts --dag ${dagId} --seed-store store.json`,
      pack: `parlance pack src/tasks.ts --out dist/${dagId}`,
      types: `parlance types --dag dags/${dagId}.py --out src/${dagId}.stubs.ts`,
      typecheck: "tsc",
    },
    dependencies: { "@parlance/sdk-node": version },
    devDependencies: { "@parlance/cli": version, "@types/node": "^20.19.43", typescript: ">=5.7" },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2022",
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true
  },
  "include": ["src"]
}
`;

const STORE = `{
  "variables": { "greeting": "Hello" }
}
`;

function tasks({ dagId }: ProjectNames): string {
  return `import { Bundle, fromTask, serve } from "@parlance/sdk-node";

const bundle = new Bundle();

bundle.task("${dagId}", "greet", async ({ client, log }) => {
  const greeting = (await client.getVariable("greeting")) ?? "Hi";
  log.info("greeting", { greeting });
  return \`\${greeting} from TypeScript\`;
});

// What \`shout(greet())\` passes in the Dag; it is there when the handler is called.
const inputs = { text: fromTask<string>("greet") };
bundle.task("${dagId}", "shout", { inputs }, ({ inputs: { text } }) => text.toUpperCase());

serve(bundle);
`;
}

function stubDag({ dagId }: ProjectNames): string {
  return `from airflow.sdk import dag, task

# The queue that [sdk] queue_to_coordinator sends to the ExecutableCoordinator.
QUEUE = "typescript"


@dag(dag_id="${dagId}", schedule=None, catchup=False)
def ${dagId}():
    @task.stub(queue=QUEUE)
    def greet() -> str: ...

    @task.stub(queue=QUEUE)
    def shout(text: str) -> str: ...

    shout(greet())


${dagId}()
`;
}

function readme({ packageName, dagId }: ProjectNames): string {
  return `# ${packageName}

Airflow tasks in TypeScript: \`dags/${dagId}.py\` names them, \`src/tasks.ts\` does the work.

    npm install
    npm start          # runs every task on this machine, no Airflow needed
    npm run pack       # writes dist/${dagId}, an executable bundle
    npm run types      # reads the Dag with Python and writes the types of its tasks' handlers

\`store.json\` holds the Variables and Connections that \`npm start\` begins with; on Airflow they are Airflow's own.

## On Airflow

Put \`dags/${dagId}.py\` into Airflow's Dags folder and \`dist/${dagId}\` into a folder of executables, here
\`/opt/airflow/executables\`. Workers need Node.js 20 or newer on PATH. Airflow 3.3:

    [sdk]
    coordinators = {"typescript": {"classpath": "airflow.sdk.coordinators.executable.ExecutableCoordinator", "kwargs": {"executables_root": ["/opt/airflow/executables"]}}}
    queue_to_coordinator = {"typescript": "typescript"}

On Airflow 3.4 that folder is a Dag bundle, one more entry of \`[dag_processor] dag_bundle_config_list\`:

    {"name": "executables", "classpath": "airflow.dag_processing.bundles.local.LocalDagBundle", "kwargs": {"path": "/opt/airflow/executables"}}

and the coordinator's \`kwargs\` are \`{"task_handler_bundle_name": "executables"}\`.
`;
}
