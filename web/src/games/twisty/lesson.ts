// Twisty's first lesson, in positions out of one real game.
import type { View } from "../../contract";
import type { Lesson } from "../../lib/lesson";

const base: View = { phase: "move", player: 0, series: ["FDABGCE", "GBDCFEA"], protected: ["", ""], used: [], first: 0, winner: null };

export const lesson: Lesson = {
  players: 2,
  steps: [
    {
      text: {
        en: "Your pawn, with the star, jumps like a knight: two squares one way and one across. Beside the board, or below it, is your series; its next colour, F, glows on the board. Jump onto an F.",
        fr: "Ton pion, à l’étoile, saute comme un cavalier : deux cases dans un sens et une de côté. À côté du plateau, ou dessous, ta série ; sa prochaine couleur, F, brille sur le plateau. Saute sur un F.",
      },
      view: { ...base, board: [".Gso.x.", "F.CEACs", "CDDLoDD", "oAo.xBF", "ALGAsEG", "FL+CxFE", ".BE++B."], pawns: ["d3", "b6"], collected: [0, 2], round: 4 },
      goal: /^f2$/,
      praise: { en: "Collected. The token is yours, the square is empty now.", fr: "Ramassé. Le jeton est à toi, la case est vide maintenant." },
    },
    {
      text: {
        en: "The next is D, too far for one jump. Dark tokens give another move: the crossed arrows at e4 one step diagonally. Jump to e4.",
        fr: "Le prochain est D, trop loin pour un saut. Les jetons sombres offrent un coup de plus : les flèches croisées en e4, un pas en diagonale. Saute en e4.",
      },
      view: { ...base, board: [".Gso.x.", "F.CEACs", "CDDLoDD", "oAo.xBF", "ALGAsEG", "FL+Cx.E", ".BE++B."], pawns: ["f2", "e7"], collected: [1, 2], round: 5 },
      goal: /^e4$/,
      praise: { en: "Your turn goes on.", fr: "Ton tour continue." },
    },
    {
      text: { en: "Now one step diagonally, onto the D at f5.", fr: "Maintenant un pas en diagonale, sur le D en f5." },
      goal: /^f5$/,
      praise: { en: "A chain. The dashed squares on the board always show where one can lead.", fr: "Une chaîne. Les cases en pointillé montrent toujours où elle peut mener." },
    },
    {
      text: { en: "Cubes can be stolen. A shield protects all that you have so far. Jump to the shield at c7.", fr: "Les cubes peuvent être volés. Un bouclier protège tous ceux que tu as. Saute sur le bouclier en c7." },
      view: { ...base, board: [".Gso.x.", "F.CE.Cs", "CD.Lo.D", "oAo.xBF", "ALGAsEG", "FL+Cx.E", ".BE++B."], pawns: ["e6", "b7"], collected: [3, 3], round: 8 },
      goal: /^c7$/,
      praise: { en: "There.", fr: "Voilà." },
    },
    { text: { en: "Protect your cubes.", fr: "Protège tes cubes." }, goal: /^shield$/, praise: { en: "Nobody can take those any more.", fr: "Personne ne peut plus te les prendre." } },
    {
      text: {
        en: "And now a theft. You need D next, and the other player holds one without protection. Jump onto the other pawn.",
        fr: "Et maintenant un vol. Il te faut D, et l’autre en tient un sans protection. Saute sur l’autre pion.",
      },
      view: { ...base, series: ["AFEDGBC", "DCGEBAF"], board: [".ACFEs.", "xDF.o+.", "C.GLxEL", "CDA.+GG", "BFxoBLB", "Aos.+s.", ".BoD..."], pawns: ["c5", "d3"], collected: [3, 4], round: 19, first: 1 },
      goal: /^d3$/,
      praise: { en: "The cube is yours, and your pawn withdraws to a corner.", fr: "Le cube est à toi, et ton pion se retire dans un coin." },
    },
    {
      text: { en: "All seven collected: now the centre wins. Jump to d4.", fr: "Les sept sont là : le centre fait gagner. Saute en d4." },
      view: { ...base, board: [".Gso.x.", "F..E.Cs", ".D.Lo.D", "oAo.x.F", "ALG.s..", ".L+Cx.E", ".B.++B."], pawns: ["f3", "c4"], collected: [7, 7], round: 16 },
      goal: /^d4$/,
      praise: { en: "That is how Twisty is won.", fr: "C’est ainsi qu’on gagne à Twisty." },
    },
  ],
};
