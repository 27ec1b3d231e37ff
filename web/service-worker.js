// Keeps one version of the page, whole, and serves it with and without a network. The build fills in the version and
// the files, each with its hash. A version that cannot be loaded whole is not kept; the one before stays.
const VERSION = "__VERSION__";
const FILES = __FILES__;
const PREFIX = `ludotheque ${self.registration.scope} `;
const CACHE = PREFIX + VERSION;
const PAGE = "index.html";
/** A server's own addresses, which are never the page. */
const SERVERS = /^(api|boards|docs|healthz|metrics|openapi|redoc)\b/;

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function load(cache, [file, hash]) {
  const address = new URL(file, self.registration.scope).href;
  // What the page has loaded a moment ago is not fetched again; what the browser has kept may be another version's.
  for (const how of ["force-cache", "reload"]) {
    const response = await fetch(address, { cache: how });
    if (!response.ok) throw new Error(`${response.status} ${address}`);
    const content = await response.clone().arrayBuffer();
    if (hex(await crypto.subtle.digest("SHA-256", content)) !== hash) continue;
    await cache.put(address, response);
    return;
  }
  throw new Error(`${file} is of another version`); // it was put there since
}

async function keep() {
  const cache = await caches.open(CACHE);
  for (const file of Object.entries(FILES)) await load(cache, file);
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

async function answer(request, file) {
  const cache = await caches.open(CACHE);
  return (await cache.match(new URL(file, self.registration.scope).href)) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
// A window that is open already is served from now on too: the network may be gone before it is loaded again.
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers().then(() => self.clients.claim())));
self.addEventListener("message", (event) => {
  if (event.data === "take over") void self.skipWaiting();
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(self.registration.scope)) return;
  const file = url.href.slice(self.registration.scope.length).replace(/[?#].*/, "");
  if (SERVERS.test(file)) return;
  if (file in FILES) event.respondWith(answer(request, file));
  else if (request.mode === "navigate") event.respondWith(answer(request, PAGE));
});
