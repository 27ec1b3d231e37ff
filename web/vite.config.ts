// How the page is built: into the Python package, or with `--mode site` for a static site that may lie under any path.
// Nothing is taken from elsewhere. During development `npm run dev` passes everything that is the server's on to it.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { catalogues } from "./catalogues.ts";
import { mujoco } from "./mujoco.ts";
import { notices } from "./notices.ts";

const server = process.env["LUDOTHEQUE_SERVER"] ?? "http://127.0.0.1:8000";

/** A static site has no headers of its own: its page says what it may load. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'", // the kernels and Python are WebAssembly
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'", // where things lie on a board, and how wide a bar is
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
const policy: Plugin = {
  name: "policy",
  transformIndexHtml: () => [
    { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: POLICY }, injectTo: "head-prepend" },
  ],
};

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), catalogues(), notices(), mujoco(mode !== "site"), ...(mode === "site" ? [policy] : [])],
  base: mode === "site" ? "./" : "/",
  worker: { format: "es", plugins: () => [mujoco(mode !== "site")] },
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  build: {
    outDir: process.env["LUDOTHEQUE_PAGE"] ?? "../src/ludotheque/server/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 2048,
    chunkSizeWarningLimit: 800,
  },
  server: { proxy: { "/api": { target: server, ws: true }, "/boards": server } },
  test: { environment: "happy-dom", include: ["test/**/*.test.ts"] },
}));
