// Questions to the host, and the person's identity. Who answers, a server or this browser, is decided in `host/choice`;
// a table's connection is in `connection`.
import { hostOf, send, type Who } from "../host/choice";
import type { Identity, Me, Person } from "./network";
import { t } from "./language.svelte";
import { settings } from "./settings.svelte";

/** The server said no, in words for the person. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

/** Each host has its own secret of this person. */
const KEYS: { [who in Who]: string } = { server: "ludotheque.secret", local: "ludotheque.local.secret" };

function read(who: Who): string | null {
  try {
    return localStorage.getItem(KEYS[who]);
  } catch {
    return null;
  }
}
const secrets: { [who in Who]: string | null } = { server: read("server"), local: read("local") };

/** Our secret at a host; by default at the one that answers questions about people. */
export const mySecret = (who: Who = hostOf("GET", "/api/people/me", null)): string | null => secrets[who];

function keep(identity: Identity, who: Who): Person {
  secrets[who] = identity.secret;
  try {
    localStorage.setItem(KEYS[who], identity.secret);
  } catch {
    // a browser that keeps nothing: this person lasts as long as the window
  }
  return identity.person;
}

const unanswered = (): Refusal => new Refusal(0, "offline", t("offline"));
/** A part of the page that is on its way; a browser's own words for its not coming are no player's. */
export const orOffline = <Part>(coming: Promise<Part>): Promise<Part> =>
  coming.catch(() => Promise.reject(unanswered()));

export async function ask<Answer>(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
  who?: Who,
): Promise<Answer> {
  const text = body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body);
  const host = who ?? hostOf(method, path, text);
  const secret = secrets[host];
  let response: Response;
  try {
    const question = { method, path, body: text, language: settings.language, secret };
    response = await send(host, question, secrets.local);
  } catch {
    // The server is away: what this browser can do, it does.
    if (!who && host === "server" && hostOf(method, path, text) === "local")
      return ask<Answer>(method, path, body, "local");
    throw host === "local" ? new Refusal(0, "no-worker", t("host.failed")) : unanswered();
  }
  if (response.status === 204) return undefined as Answer;
  const type = response.headers.get("content-type") ?? "";
  const answer: unknown = type.includes("json") ? await response.json() : await response.text();
  if (response.ok) return answer as Answer;
  const error = (answer as { error?: { code: string; sentence: string } }).error;
  if (response.status === 401 && secret && method !== "DELETE") forget(host);
  throw new Refusal(
    response.status,
    error?.code ?? "problem",
    error?.sentence ?? `${response.status} ${response.statusText}`,
  );
}

export const get = <Answer>(path: string): Promise<Answer> => ask<Answer>("GET", path);
export const post = <Answer>(path: string, body: unknown = {}): Promise<Answer> => ask<Answer>("POST", path, body);

/** A host no longer knows us, or we want to be forgotten there. */
export function forget(who: Who = hostOf("GET", "/api/people/me", null)): void {
  secrets[who] = null;
  try {
    localStorage.removeItem(NAME);
    localStorage.removeItem(KEYS[who]);
  } catch {
    // nothing was kept
  }
}

const NAME = "ludotheque.name";
/** What we were called last, at whichever host: a person has one name. */
function lastName(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}
function called(person: Person): Person {
  try {
    localStorage.setItem(NAME, person.name);
  } catch {
    // the next host makes a name up
  }
  return person;
}

/** Who we are at a host; a name is made up on the first visit and can be changed at any time. */
export async function me(who: Who = hostOf("GET", "/api/people/me", null)): Promise<Person> {
  if (secrets[who]) {
    try {
      return called((await ask<Me>("GET", "/api/people/me", undefined, who)).person);
    } catch (problem) {
      if (!(problem instanceof Refusal) || problem.status !== 401) throw problem;
    }
  }
  const known = lastName();
  const name = known ?? t("guest", { number: 1 + Math.floor(Math.random() * 98) });
  const person = called(keep(await ask<Identity>("POST", "/api/people", { name }, who), who));
  if (known === null) markGuest(true);
  return person;
}

const GUEST = "ludotheque.guest";
function markGuest(on: boolean): void {
  try {
    if (on) localStorage.setItem(GUEST, "yes");
    else localStorage.removeItem(GUEST);
  } catch {
    // nobody is asked for a name again and again
  }
}
/** Whether the others would see a name that was made up: then one is asked before one sits down with them. */
export function isGuest(): boolean {
  try {
    return localStorage.getItem(GUEST) !== null || (secrets.server === null && lastName() === null);
  } catch {
    return false;
  }
}
/** Another name from now on, as others see it. */
export async function rename(name: string, who: Who = hostOf("PATCH", "/api/people/me", null)): Promise<Me> {
  await me(who);
  const renamed = await ask<Me>("PATCH", "/api/people/me", { name }, who);
  called(renamed.person);
  markGuest(false);
  return renamed;
}

export async function comeOver(code: string): Promise<Person> {
  const person = keep(await post<Identity>(`/api/people/links/${encodeURIComponent(code)}`), "server");
  markGuest(false);
  return person;
}

/** A text that nobody has used before; plain HTTP has no randomUUID. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
