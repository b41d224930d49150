import { validate as validGetConnection } from "@parlance/protocol/validators/2026-06-16/GetConnection.js";
import { createConnection } from "../../lookups/connection.ts";
import type { Connection } from "../api/connection.ts";
import type { Requester } from "../requester.ts";
import { Answer } from "./answer.ts";

/** Asks Airflow for a Connection. @throws NotFoundError `connection-not-found` */
export async function requestConnection(requester: Requester, id: string): Promise<Connection> {
  const request = { type: "GetConnection", conn_id: id };
  const body = await requester.ask(request, validGetConnection, "ConnectionResult");
  const answer = new Answer(request.type, body); // stock leaves out what is not set
  return createConnection({
    id: answer.textOrNull("conn_id") ?? "",
    type: answer.textOrNull("conn_type") ?? "",
    host: answer.textOrNull("host"),
    schema: answer.textOrNull("schema"),
    login: answer.textOrNull("login"),
    password: answer.textOrNull("password"),
    port: answer.numberOrNull("port"),
    extra: answer.textOrNull("extra"),
  });
}
