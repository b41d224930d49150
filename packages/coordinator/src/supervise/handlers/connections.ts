import { answer, notFound } from "../answers.ts";
import type { HandlerTable } from "../attempt.ts";
import { textOf } from "../read-body.ts";

/** Airflow Connections. Password and `extra` are masked from the reading on. */
export const CONNECTION_HANDLERS: HandlerTable = {
  async GetConnection(body, { store, masker }) {
    const connId = textOf(body["conn_id"]);
    const connection = await store.connections.get(connId);
    if (connection === undefined) {
      return notFound("CONNECTION_NOT_FOUND", { conn_id: connId });
    }
    const { connType, host, schema, login, password, port, extra } = connection;
    masker.add(password);
    // Stock masks the whole text; what is secret by its name inside it is masked on its own as well.
    masker.add(extra);
    masker.addJson(extra);
    return answer("ConnectionResult", {
      conn_id: connId,
      conn_type: connType,
      host,
      schema,
      login,
      password,
      port,
      extra,
    });
  },
};
