// How the page is built: into the Python package, with relative addresses, and nothing taken from elsewhere.
// During development `npm run dev` passes everything that is the server's on to it.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { catalogues } from "./catalogues.ts";

const server = process.env["LUDOTHEQUE_SERVER"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte(), catalogues()],
  base: "/",
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
});
