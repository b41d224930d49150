/*
 * What a bundle says on a worker whose Node.js is missing or too old. Airflow shows what a process
 * has written only when the process has connected to it (seen with 3.3.2 and 3.4.0b2), so that is
 * done before it ends: its words are then in the task's log, and it has failed with its exit code.
 */

/** The oldest Node.js that runs a bundle. */
export const MINIMUM_NODE = "20.3";
/** What a bundle ends with that finds no Node.js to run with: the shell's "command not found". */
export const NO_NODE_EXIT_CODE = 127;

const NEEDS = `This Airflow bundle needs Node.js ${MINIMUM_NODE} or newer`;

/** A JavaScript expression, true where this Node.js is too old; it can be read by very old ones. */
export const IS_TOO_OLD: string = (() => {
  const [major, minor] = MINIMUM_NODE.split(".");
  const parts = `process.versions.node.split(".")`;
  return `(function(v){return v[0]<${major}||v[0]==${major}&&v[1]<${minor}})(${parts})`;
})();

/**
 * JavaScript for a Node.js that is too old, without single quotes and line ends, in the language of
 * 2009. It ends the process a little later: what stands behind it must not run.
 *
 * @param load - a JavaScript expression that loads a module of Node's by its name
 */
export function refuseOldNode(load: string): string {
  return [
    `(function(load){var links={}`,
    `function end(){process.exit(${NO_NODE_EXIT_CODE})}`,
    `process.argv.forEach(function(word){var parts=/^--(comm|logs)=(.*):([0-9]+)$/.exec(word)`,
    `if(parts)links[parts[1]]=load("net").connect(+parts[3],parts[2].replace(/[\\[\\]]/g,"")).on("error",end)})`,
    `console.error("${NEEDS}; the node that runs it is "+process.version+" ("+process.execPath+").")`,
    `if(!links.comm||!links.logs)return end()`,
    // The first that comes are the start-up details: Airflow has taken both connections, and listens.
    `links.comm.on("data",end).on("end",end)`,
    `setTimeout(end,9000)})(${load})`,
  ].join(";");
}

/** Python for where there is no Node.js at all: Airflow's workers have a Python. No single quotes. */
const CONNECT_IN_PYTHON = `
import socket, sys
at = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--") and "=" in word)
def connect(name):
    host, port = at[name].rsplit(":", 1)
    return socket.create_connection((host.strip("[]"), int(port)), 9)
logs, comm = connect("logs"), connect("comm").makefile("rb")
comm.read(int.from_bytes(comm.read(4), "big"))`.trimStart();

/** Lines of a shell script that end it, saying that there is no `node`. */
export const REFUSE_WITHOUT_NODE: string = `printf '%s\\n' "${NEEDS}, but there is no 'node' on the PATH of this worker ($PATH)." >&2
case " $* " in *" --comm="*) for python in python3 python; do
"$python" -c '${CONNECT_IN_PYTHON}' "$@" 2>/dev/null && break
done;; esac
exit ${NO_NODE_EXIT_CODE}
`;
