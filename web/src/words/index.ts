// The shell's sentences in the language of the moment; reading it inside a template follows a change of language.
import { settings } from "../lib/settings.svelte";
import { type Facts, speaker } from "../lib/words";
import { en } from "./en";
import { fr } from "./fr";

const both = { en, fr };
const speakers = { en: speaker(both, "en"), fr: speaker(both, "fr") };
export const t = (name: keyof typeof en, facts?: Facts): string => speakers[settings.language](name, facts);
