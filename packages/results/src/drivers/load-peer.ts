import { ResultsError } from "../errors.ts";

/**
 * Loads an optional peer dependency.
 *
 * @throws ResultsError `driver-missing` with the npm command, where it is not installed
 */
export async function loadPeer<Module>(
  name: string,
  database: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes(`'${name}'`)) throw cause;
    const command = `npm install ${name}`;
    throw new ResultsError(
      "driver-missing",
      `The results URL names ${database}, which needs the package ${name}; it is not installed. Run: ${command}`,
      { facts: { command, field: name } },
    );
  }
}
