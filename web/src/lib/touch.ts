// Whether whoever sits here plays with a finger, for words that tell how something is done. What is large enough for
// one, styles decide.
export const touch = typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;
