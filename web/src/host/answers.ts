// What is asked of this browser: the build has written some answers into files, the store has others, and the worker
// knows the rest. So the home page and the rules need no worker.
import type { GameResult, RecordCard, Review } from "../lib/network";
import type { Question } from "./choice";
import { hostParts, localHost } from "./local";
import { BASE } from "./mode";
import { openDatabase } from "./storage";

const FILES: { pattern: RegExp; file: (found: RegExpExecArray) => string }[] = [
  { pattern: /^\/api\/(games|site|help)$/, file: ([, name]) => `${name}.json` },
  { pattern: /^\/api\/games\/([\w-]+)\/rules\?language=([\w-]+)$/, file: ([, game, tag]) => `rules-${game}-${tag}.md` },
  { pattern: /^\/api\/games\/([\w-]+)\/(examples)$/, file: ([, game, what]) => `${what}-${game}.json` },
  { pattern: /^\/api\/help\/([\w-]+)\?language=([\w-]+)$/, file: ([, topic, tag]) => `help-${topic}-${tag}.md` },
];
const NONE: { [path: string]: string } = { "/api/tables": '{"tables":[]}', "/api/address": '{"addresses":[]}' };
const json = (text: string): Response => new Response(text, { headers: { "content-type": "application/json" } });

/** My tables, the latest first, as the store has them. */
async function tables(): Promise<Response> {
  const database = await openDatabase();
  const found = database.transaction("tables").objectStore("tables").getAll() as IDBRequest<string[]>;
  const texts = await new Promise<string[]>((resolve, reject) => {
    found.onsuccess = () => resolve(found.result);
    found.onerror = () => reject(found.error);
  });
  database.close();
  const cards = texts.map((text) => JSON.parse(text) as { touched: number });
  return json(JSON.stringify({ tables: cards.sort((one, other) => other.touched - one.touched).slice(0, 100) }));
}

const AT_ONCE = 50;
/** How my latest games went, as the store has them: what `answers/results.py` says of them. */
async function results(): Promise<Response> {
  const database = await openDatabase();
  const asked = database.transaction(["records", "reviews"]);
  const [records, reviews] = ["records", "reviews"].map((name) => asked.objectStore(name));
  const answered = <Value>(request: IDBRequest<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const [cards, keys, bodies] = await Promise.all([
    answered(records!.getAll() as IDBRequest<string[]>),
    answered(reviews!.getAllKeys()),
    answered(reviews!.getAll() as IDBRequest<string[]>),
  ]);
  database.close();
  const judged = new Map(keys.map((key, place) => [key, bodies[place]]));
  const own = cards.map((text) => JSON.parse(text) as RecordCard).filter((card) => !card.uploaded);
  const latest = own.sort((one, other) => other.ended - one.ended).slice(0, AT_ONCE);
  const found = latest.map((card): GameResult => {
    const seats = card.players.flatMap(({ kind }, seat) => (kind === "human" ? [seat] : []));
    const [seat, body] = [seats.length === 1 ? seats[0] : undefined, judged.get(card.id)];
    const one = body && seat !== undefined ? (JSON.parse(body) as Review).players[seat] : undefined;
    return {
      record: card.id,
      game: card.game,
      ended: card.ended,
      seats,
      players: card.players.map(({ kind }) => kind),
      names: card.players.map(({ name }) => name),
      returns: card.returns,
      review: one ? { decisions: one.decisions, lost: one.lost, luck: one.luck } : null,
    };
  });
  const before = found.length === AT_ONCE ? found.at(-1)!.ended : null;
  return json(JSON.stringify({ results: found, before }));
}

/** Whether a record is kept in this browser. */
export async function hasRecord(id: string): Promise<boolean> {
  try {
    const database = await openDatabase();
    const found = database.transaction("records").objectStore("records").count(id);
    return await new Promise<boolean>((resolve) => {
      found.onsuccess = () => resolve(found.result > 0);
      found.onerror = () => resolve(false);
    });
  } catch {
    return false; // no store, no records
  }
}

export async function askLocally({ method, path, body, language, secret }: Question): Promise<Response> {
  if (method === "GET") {
    const none = NONE[path];
    if (none) return json(none);
    if (path === "/api/tables?mine=true") {
      const stored = await tables().catch(() => null); // no store: the worker has them in its memory
      if (stored) return stored;
    }
    if (path === "/api/people/me/results") {
      const stored = await results().catch(() => null);
      if (stored) return stored;
    }
    for (const { pattern, file } of FILES) {
      const found = pattern.exec(path);
      if (!found) continue;
      const { folder } = await hostParts();
      const response = await fetch(`${BASE}${folder}answers/${file(found)}`);
      if (response.ok) return response;
    }
  }
  return localHost.ask(method, path, body, secret, language);
}

/** Save an answer as a file, such as a record: a link to a host in this browser leads nowhere. */
export async function download(path: string): Promise<void> {
  const name = /\/([\w-]+)(?:\?|$)/.exec(path)?.[1] ?? "ludotheque";
  const answer = await askLocally({ method: "GET", path, body: null, language: "en", secret: null });
  save(await answer.text(), name);
}

/** Hand a text to the person as a file. */
export function save(text: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `ludotheque-${name}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
