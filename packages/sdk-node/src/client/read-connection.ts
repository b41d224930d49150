import type { WireMap } from "@parlance/framing";
import { badAnswer } from "./requester.ts";
import type { Connection } from "./task-client.ts";

/** The body of a ConnectionResult in the words of the public API. @throws SupervisorError `bad-answer` */
export function readConnection(answer: WireMap): Connection {
  const text = (key: string): string | null => {
    const value = answer[key] ?? null; // stock leaves out what is not set
    if (value === null || typeof value === "string") return value;
    throw badAnswer("GetConnection", `a ${key} that is no text`);
  };
  const port = answer["port"] ?? null;
  if (port !== null && typeof port !== "number")
    throw badAnswer("GetConnection", "no number as port");
  const extra = text("extra");
  return {
    id: text("conn_id") ?? "",
    type: text("conn_type") ?? "",
    host: text("host"),
    schema: text("schema"),
    login: text("login"),
    password: text("password"),
    port,
    extra,
    extraJson: () => (extra === null || extra.trim() === "" ? null : JSON.parse(extra)),
  };
}
