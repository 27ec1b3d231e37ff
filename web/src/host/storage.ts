// Keeps texts by kind and key in IndexedDB, several changes in one transaction. It does not read them.
const NAME = "ludotheque";
const VERSION = 1;
const KINDS = ["people", "tables", "entries", "records", "bodies", "reviews"];

/** A change: kind, key, and the text, or null to delete it. */
type Change = [string, string, string | null];

export interface Store {
  read(kind: string, key: string): Promise<string | undefined>;
  list(kind: string, prefix: string): Promise<string[]>;
  /** Answers with the name of what prevented it, or with nothing. */
  write(changes: string): Promise<string>;
}

const done = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

export function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(NAME, VERSION);
  opening.onupgradeneeded = () => {
    for (const kind of KINDS)
      if (!opening.result.objectStoreNames.contains(kind)) opening.result.createObjectStore(kind);
  };
  return done(opening);
}

class Kept implements Store {
  constructor(readonly database: IDBDatabase) {}

  read(kind: string, key: string): Promise<string | undefined> {
    return done(this.database.transaction(kind).objectStore(kind).get(key) as IDBRequest<string | undefined>);
  }
  list(kind: string, prefix: string): Promise<string[]> {
    const range = prefix ? IDBKeyRange.bound(prefix, `${prefix}\uffff`) : undefined;
    return done(this.database.transaction(kind).objectStore(kind).getAll(range) as IDBRequest<string[]>);
  }
  async write(changes: string): Promise<string> {
    const wanted = JSON.parse(changes) as Change[];
    try {
      // "strict": what is told to be stored is on the disk, as on the server.
      const transaction = this.database.transaction(KINDS, "readwrite", { durability: "strict" });
      const finished = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = transaction.onerror = () => reject(transaction.error);
      });
      for (const [kind, key, text] of wanted) {
        const store = transaction.objectStore(kind);
        if (text === null) store.delete(key);
        else store.put(text, key);
      }
      await finished;
      return "";
    } catch (problem) {
      return (problem as Error | null)?.name ?? "unknown";
    }
  }
}

/** For a browser that keeps nothing: as long as the window is open. */
class InMemory implements Store {
  #kept = new Map(KINDS.map((kind) => [kind, new Map<string, string>()]));

  async read(kind: string, key: string): Promise<string | undefined> {
    return this.#kept.get(kind)?.get(key);
  }
  async list(kind: string, prefix: string): Promise<string[]> {
    const all = [...(this.#kept.get(kind) ?? [])].filter(([key]) => key.startsWith(prefix));
    return all.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  }
  async write(changes: string): Promise<string> {
    for (const [kind, key, text] of JSON.parse(changes) as Change[])
      if (text === null) this.#kept.get(kind)?.delete(key);
      else this.#kept.get(kind)?.set(key, text);
    return "";
  }
}

/** The browser's store, or one in memory where it has none (`kept` is false then). */
export async function openStore(): Promise<{ store: Store; kept: boolean }> {
  try {
    return { store: new Kept(await openDatabase()), kept: true };
  } catch {
    return { store: new InMemory(), kept: false };
  }
}
