// Whether the main pointer is a finger, for sentences that explain how something is done.
export const touch = typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;
