import type { FastifyReply, FastifyRequest } from "fastify";
import type { OneTimeToken } from "../access/one-time-token.ts";
import type { Sessions } from "../access/sessions.ts";
import type { Route } from "../http/route-table.ts";
import type { PageFile, PageFiles } from "../static/page-files.ts";
import { queryText } from "./read-request.ts";

/** @see pageRoutes */
export interface PageParts {
  readonly page: PageFiles;
  readonly token: OneTimeToken;
  readonly sessions: () => Sessions;
}

const NO_SESSION =
  "There is no session here, or the address was used or is too old.\n" +
  "Press Enter in the terminal in which parlance dev runs: it prints a new address.\n";

/** Navigations that start on a foreign page are without the cookie; this one starts here. */
const AGAIN = `<!doctype html><meta http-equiv="refresh" content="0;url=/"><title>Parlance</title>\n`;

/** The page, and the exchange of the token in its address for a session. */
export function pageRoutes({ page, token, sessions }: PageParts): Route[] {
  const start: Route = {
    path: "/",
    GET: (request, reply) => {
      const given = queryText(request, "token");
      if (given !== undefined && !isGuess(request) && token.spend(given)) {
        // The address without the token replaces it, in the history as well.
        return reply.header("set-cookie", sessions().open()).redirect("/", 303);
      }
      if (sessions().isOpen(request.headers.cookie)) {
        return given === undefined ? sendFile(reply, page.get("/")) : reply.redirect("/", 303);
      }
      if (request.headers["sec-fetch-site"] === "cross-site" && given === undefined) {
        return reply.type("text/html; charset=utf-8").send(AGAIN);
      }
      return reply.code(401).type("text/plain; charset=utf-8").send(NO_SESSION);
    },
  };
  const others = [...page].filter(([path]) => path !== "/");
  return [start, ...others.map(([path, file]) => ({ path, GET: fileHandler(file) }))];
}

function fileHandler(file: PageFile): NonNullable<Route["GET"]> {
  return (_request, reply) => sendFile(reply, file);
}

function sendFile(reply: FastifyReply, file: PageFile | undefined): FastifyReply {
  return reply.type(file?.contentType ?? "text/plain").send(file?.bytes ?? "");
}

/** A browser that loads what the user may open next would use up the token. */
function isGuess({ headers }: FastifyRequest): boolean {
  const purpose = `${headers["sec-purpose"] ?? ""} ${headers["purpose"] ?? ""}`;
  return /prefetch|prerender|preview/i.test(purpose);
}
