import type { Connection } from "../client/api/connection.ts";

/** What a look-up works with. */
export interface EnvironmentLookupOptions {
  readonly variables: { readonly [name: string]: string | undefined };
  /** Has a value masked in the task's log. */
  readonly mask: (value: unknown, name?: string) => Promise<void>;
  /** Told of what is there and cannot be used; never with a value. */
  readonly warn: (event: string, fields: { readonly [name: string]: string }) => void;
}

/**
 * Variables and Connections in the worker's environment, where Python tasks look before they ask
 * Airflow: `AIRFLOW_VAR_` and `AIRFLOW_CONN_` with the key in capital letters.
 */
export class EnvironmentLookups {
  readonly #options: EnvironmentLookupOptions;

  constructor(options: EnvironmentLookupOptions) {
    this.#options = options;
  }

  /** Also the empty text is a value. */
  hasVariable(key: string): boolean {
    return this.#read("AIRFLOW_VAR_", key) !== undefined;
  }

  async getVariable(key: string): Promise<string | null> {
    const value = this.#read("AIRFLOW_VAR_", key);
    if (value === undefined) return null;
    await this.#options.mask(value, key); // the supervisor hides it when the key sounds secret
    return value;
  }

  /** Null also when it cannot be read: Python's tasks then ask Airflow too. */
  async getConnection(id: string): Promise<Connection | null> {
    const value = this.#read("AIRFLOW_CONN_", id);
    if (value === undefined || value === "") return null;
    const { readConnection } = await import("./read-connection.ts");
    let connection: Connection;
    try {
      connection = readConnection(value, id);
    } catch (error) {
      const variable = `AIRFLOW_CONN_${id.toUpperCase()}`;
      const problem = error instanceof Error ? error.message : "";
      this.#options.warn("A Connection in the environment cannot be read; Airflow is asked", {
        variable,
        problem,
      });
      return null;
    }
    await this.#mask(connection);
    return connection;
  }

  async #mask({ password, extra, extraJson }: Connection): Promise<void> {
    const secrets: unknown[] = [password, extra].filter((text) => text !== null && text !== "");
    try {
      const json = extraJson();
      if (typeof json === "object" && json !== null) secrets.push(json); // fields that sound secret
    } catch {
      // it is masked as the text it is
    }
    await Promise.all(secrets.map((secret) => this.#options.mask(secret)));
  }

  #read(prefix: string, key: string): string | undefined {
    if (typeof key !== "string") return undefined; // refused when Airflow is asked
    const { variables } = this.#options;
    // With teams this is how a team's own variable is written: not to be had by its name.
    if (variables["AIRFLOW__CORE__MULTI_TEAM"]?.toLowerCase() === "true" && key.includes("___")) {
      return undefined;
    }
    return variables[prefix + key.toUpperCase()];
  }
}
