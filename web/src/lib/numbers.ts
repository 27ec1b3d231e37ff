// The numbers for the dice that this browser has sent, each with the commitment that it had seen before.
// They are its own evidence: the server made the seed before it knew them.
import { newId } from "./api";

const KEY = "ludotheque.numbers";
const MOST = 200;

function kept(): [commitment: string, number: string][] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? (found as [string, string][]) : [];
  } catch {
    return [];
  }
}

/** A new number for the dice of the match whose commitment is shown. */
export function numberFor(commitment: string | null): string {
  const number = newId();
  if (commitment === null) return number;
  try {
    localStorage.setItem(KEY, JSON.stringify([...kept(), [commitment, number]].slice(-MOST)));
  } catch {
    // Without a store the game goes on; only the evidence is missing.
  }
  return number;
}

/** Whether this browser saw a record's commitment and sent one of its numbers after that. */
export function sentHere(commitment: string, numbers: readonly string[]): boolean {
  return kept().some(([seen, number]) => seen === commitment && numbers.includes(number));
}
