// What the program `fixtures/capabilities-client.ts` finds, whoever runs it.

/** Of its worker. */
export const CLIENT_ENVIRONMENT = {
  AIRFLOW_VAR_BOTH: "from the worker",
  AIRFLOW_VAR_ENVIRONMENT_PASSWORD: "hunter22",
  AIRFLOW_CONN_FROM_ENVIRONMENT: "postgres://u:tiger%2F99@db.example:5432/sales?token=a1b2c3d4",
  AIRFLOW_CONN_UNREADABLE: '{"password": "hunter33",}',
} as const;

/** A Connection of the server has every field. */
const NO_MORE = { schema: null, login: null, password: null, port: null, extra: null };

/** In Airflow, in the form of a seed. */
export const CLIENT_STORE = {
  variables: { both: "from Airflow", remote: "from Airflow" },
  connections: { unreadable: { conn_type: "http", host: "airflow.example", ...NO_MORE } },
  xcoms: [0, 1, 2].map((map_index) => ({
    task_id: "mapped",
    map_index,
    value: { row: map_index },
  })),
};
