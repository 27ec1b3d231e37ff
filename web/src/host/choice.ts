// The one place that decides who answers the page: a server, or the worker in this browser. Nobody else knows.
import { mode, takesOver } from "./mode";
import type { TableSocket } from "./local";

/** What the ids of tables in this browser begin with. */
const LOCAL = "local-";
export type Who = "server" | "local";

export interface Question {
  method: string;
  path: string;
  body: string | null;
  language: string;
  secret: string | null;
}

/** Who hosts a table. */
export const hostOfTable = (table: string): Who => (mode.site || table.startsWith(LOCAL) ? "local" : "server");

/** Whether a new table needs nobody but this device. */
function alone(body: string | null): boolean {
  const { seats } = JSON.parse(body ?? "{}") as { seats?: { kind: string }[] };
  return seats?.every(({ kind }) => kind === "me" || kind === "bot") ?? false;
}

/** Who answers a question. */
export function hostOf(method: string, path: string, body: string | null): Who {
  if (mode.site) return "local";
  const table = /^\/api\/tables\/([^/?]+)/.exec(path)?.[1];
  if (table) return hostOfTable(table);
  if (method === "POST" && path === "/api/tables")
    return alone(body) && (mode.alone === "always" || takesOver()) ? "local" : "server";
  return takesOver() ? "local" : "server";
}

const LOOK_AFTER = 5000;
/** The server is away: look for it from time to time, since nobody asks it anything meanwhile. */
function lookForServer(): void {
  setTimeout(() => {
    fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(LOOK_AFTER) }).then(
      () => (mode.offline = false),
      lookForServer,
    );
  }, LOOK_AFTER);
}

/** What a person has at both hosts: lists, by what their items are sorted by. */
const LISTS: { pattern: RegExp; name: "tables" | "records" | "results"; by: "touched" | "ended" }[] = [
  { pattern: /^\/api\/tables\?mine=true$/, name: "tables", by: "touched" },
  { pattern: /^\/api\/records\?(?!.*before=).*mine=true/, name: "records", by: "ended" },
  { pattern: /^\/api\/people\/me\/results$/, name: "results", by: "ended" },
];
type List = { [name in "tables" | "records" | "results"]?: { touched: number; ended: number }[] };

async function toServer({ method, path, body, language, secret }: Question): Promise<Response> {
  const headers: { [name: string]: string } = { "Accept-Language": language };
  if (secret) headers["Authorization"] = `Bearer ${secret}`;
  if (body !== null) headers["Content-Type"] = "application/json";
  try {
    const response = await fetch(path, { method, headers, ...(body === null ? {} : { body }) });
    mode.offline = false;
    return response;
  } catch (problem) {
    if (!mode.offline) lookForServer();
    mode.offline = true;
    throw problem;
  }
}

/** Ask a host. Whoever plays alone in this browser finds what is there beside what the server has. */
export async function send(who: Who, question: Question, localSecret: string | null): Promise<Response> {
  if (who === "local") return (await import("./answers")).askLocally(question);
  if (localSecret) {
    const { askLocally, hasRecord } = await import("./answers");
    const record = /^\/api\/records\/([^/?]+)/.exec(question.path)?.[1];
    if (record && (await hasRecord(record))) return askLocally({ ...question, secret: localSecret });
    const list = LISTS.find(({ pattern }) => question.method === "GET" && pattern.test(question.path));
    if (list) {
      // Who has never been at the server has nothing there.
      const answer = question.secret ? await toServer(question) : Response.json({});
      if (!answer.ok) return answer;
      const there = (await answer.json()) as List;
      const local = (await (await askLocally({ ...question, secret: localSecret })).json()) as List;
      const all = [...(there[list.name] ?? []), ...(local[list.name] ?? [])];
      return Response.json({
        ...local,
        ...there,
        [list.name]: all.sort((one, other) => other[list.by] - one[list.by]),
      });
    }
  }
  return toServer(question);
}

/** Connect to a table. `elsewhere` says that another window has it open. */
export function connect(table: string, elsewhere: () => string): TableSocket | Promise<TableSocket> {
  if (hostOfTable(table) === "local")
    return import("./local").then(({ localHost }) => localHost.connect(table, elsewhere));
  const origin = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
  return new WebSocket(`${origin}/api/tables/${encodeURIComponent(table)}/socket`);
}
