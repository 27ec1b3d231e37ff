// What the generic board says.
export const words = {
  en: { roll: "Roll", hint: "Hint: {action}", find: "Find an action", actions: "Possible actions", open: "Also possible, but not on this board: {kinds}" },
  fr: { roll: "Lancer", hint: "Conseil : {action}", find: "Chercher une action", actions: "Actions possibles", open: "Possible aussi, mais pas sur ce plateau : {kinds}" },
};
