// Requests to the server over HTTP, and the person's identity. A table's WebSocket is in `connection`.
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

const KEY = "ludotheque.secret";

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
let secret = read();

export const mySecret = (): string | null => secret;

function keep(identity: Identity): Person {
  secret = identity.secret;
  try {
    localStorage.setItem(KEY, secret);
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
): Promise<Answer> {
  const headers: { [name: string]: string } = { "Accept-Language": settings.language };
  if (secret) headers["Authorization"] = `Bearer ${secret}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  } catch {
    throw unanswered();
  }
  if (response.status === 204) return undefined as Answer;
  const type = response.headers.get("content-type") ?? "";
  const answer: unknown = type.includes("json") ? await response.json() : await response.text();
  if (response.ok) return answer as Answer;
  const error = (answer as { error?: { code: string; sentence: string } }).error;
  if (response.status === 401 && secret && method !== "DELETE") forget();
  throw new Refusal(
    response.status,
    error?.code ?? "problem",
    error?.sentence ?? `${response.status} ${response.statusText}`,
  );
}

export const get = <Answer>(path: string): Promise<Answer> => ask<Answer>("GET", path);
export const post = <Answer>(path: string, body: unknown = {}): Promise<Answer> => ask<Answer>("POST", path, body);

/** The server no longer knows us, or we want to be forgotten here. */
export function forget(): void {
  secret = null;
  try {
    localStorage.removeItem(KEY);
  } catch {
    // nothing was kept
  }
}

/** Who we are; a name is made up on the first visit and can be changed at any time. */
export async function me(): Promise<Person> {
  if (secret) {
    try {
      return (await get<Me>("/api/people/me")).person;
    } catch (problem) {
      if (!(problem instanceof Refusal) || problem.status !== 401) throw problem;
    }
  }
  return keep(
    await post<Identity>("/api/people", { name: t("guest", { number: 1 + Math.floor(Math.random() * 98) }) }),
  );
}

export async function comeOver(code: string): Promise<Person> {
  return keep(await post<Identity>(`/api/people/links/${encodeURIComponent(code)}`));
}

/** A text that nobody has used before; plain HTTP has no randomUUID. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
