// Probabilities as percentages.
import { settings } from "./settings.svelte";

export const percent = (value: number): string => `${Math.round(value * 100)}\u00a0%`;
/** Small ones, to a tenth. */
export const precise = (value: number): string =>
  `${(value * 100).toLocaleString(settings.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })}\u00a0%`;
/** With its sign: what was gained or lost. */
export function signed(value: number): string {
  const digits = Math.abs(value) < 0.0995 ? 1 : 0;
  const number = Math.abs(value * 100).toLocaleString(settings.language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${value < -0.0005 ? "−" : value > 0.0005 ? "+" : ""}${number}\u00a0%`;
}
