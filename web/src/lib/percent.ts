// Chances as people read them.
export const percent = (value: number): string => `${Math.round(value * 100)} %`;
/** With its sign: what was gained or lost. */
export const signed = (value: number): string => `${value < -0.0005 ? "−" : value > 0.0005 ? "+" : ""}${Math.abs(value * 100).toFixed(Math.abs(value) < 0.0995 ? 1 : 0)} %`;
