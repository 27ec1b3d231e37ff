// What ../catalogues.ts makes of the shared catalogues.
declare module "virtual:catalogues" {
  type Load = () => Promise<{ default: { [key: string]: string } }>;
  /** Every language that the program has a catalogue for, English first. */
  export const languages: readonly string[];
  export const program: { [language: string]: Load };
  export const games: { [game: string]: { [language: string]: Load } };
}
