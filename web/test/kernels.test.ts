import { expect, test } from "vitest";
import { openKernels } from "../src/host/kernels";

const HEADER = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const ABOUT = [0, 11, 10, ...new TextEncoder().encode("ludotheque")];
const NUMBER_FUNCTION = [1, 4, 1, 0x60, 0, 0];
const IMPORT = [2, 9, 1, 3, ...new TextEncoder().encode("env"), 1, 0x66, 0, 0];

test("a module that does not say what it has is refused", () => {
  const module = new WebAssembly.Module(Uint8Array.from(HEADER));
  expect(() => openKernels(module)).toThrow("does not say what it has");
});

test("a module that imports anything is refused, with its name", () => {
  const module = new WebAssembly.Module(Uint8Array.from([...HEADER, ...NUMBER_FUNCTION, ...IMPORT, ...ABOUT]));
  expect(() => openKernels(module)).toThrow("the kernels import f");
});
