import { expect, it } from "vitest";
import { notice, packageOf } from "../notices.ts";

it("a module belongs to the innermost package that it lies in", () => {
  expect(packageOf("/a/web/node_modules/svelte/src/index.js")).toBe("svelte");
  expect(packageOf("/a/web/node_modules/@fontsource/alegreya/400.css")).toBe("@fontsource/alegreya");
  expect(packageOf("/a/node_modules/one/node_modules/two/index.js")).toBe("two");
  expect(packageOf("C:\\a\\node_modules\\three\\build\\three.js")).toBe("three");
  expect(packageOf("/a/web/src/main.ts")).toBeUndefined();
});

it("a notice has the package's version and the whole licence", () => {
  const told = notice("svelte");
  expect(told).toMatch(/^## svelte \d+\.\d+\.\d+ \(MIT\)\n\n/);
  expect(told).toContain("WITHOUT WARRANTY OF ANY KIND");
});

it("a package that only names its licence has its text all the same, and who wrote it", () => {
  const told = notice("@mujoco/mujoco");
  expect(told).toMatch(/^## @mujoco\/mujoco \d+\.\d+\.\d+ \(Apache-2\.0\)\n\nCopyright Google DeepMind\n/);
  expect(told).toContain("TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION");
});

it("a package without a licence stops the build", () => {
  expect(() => notice("none", `${import.meta.dirname}/..`)).toThrow("has no licence");
});
