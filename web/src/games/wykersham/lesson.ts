// Wykersham's first lesson.
import type { View } from "../../contract";
import type { Lesson } from "../../lib/lesson";

type Marbles = [rail: number, cup: number, red: number, green: number];
function position(marbles: Marbles[], turns: number, more: View = {}): View {
  const cups = Array.from({ length: 5 }, () => Array.from({ length: 11 }, () => [0, 0]));
  for (const [rail, cup, red, green] of marbles) cups[rail - 1]![cup] = [red, green];
  return {
    phase: "place", player: 0, dice: "35", left: ["3", "5"], offsets: [0, 0, 0, 0, 0], cups, slid: [], direction: 0, turns: [turns, turns],
    winnings: [0, 0], goals: [], cup: null, rail: null, winner: null, ...more,
  };
}

export const lesson: Lesson = {
  players: 2,
  steps: [
    {
      text: {
        en: "You are red. You rolled 3 and 5: one marble goes into line 3, one into line 5, in any order. The raised cups are free for you. Tap one on an outer rail.",
        fr: "Tu es rouge. Tu as lancé 3 et 5 : une bille va en ligne 3, une en ligne 5, dans l’ordre que tu veux. Les alvéoles en relief sont libres. Touches-en une sur un rail extérieur.",
      },
      view: position([], 0),
      goal: /^[35]@[1245]$/,
      praise: { en: "The marble lies on a rail that can slide. Now comes the question.", fr: "La bille est sur un rail qui glisse. Vient maintenant la question." },
    },
    {
      text: {
        en: "After each marble you may slide its rail by one notch, either way, or leave it. The middle rail never slides. Slide it.",
        fr: "Après chaque bille, tu peux glisser son rail d’un cran, d’un côté ou de l’autre, ou le laisser. Le rail du milieu ne glisse jamais. Glisse-le.",
      },
      goal: /^(left|right)$/,
      praise: { en: "A rail that was slid rests until your next turn, and your second slide must go the same way.", fr: "Un rail glissé se repose jusqu’à ton prochain tour, et ton second glissement va du même côté." },
    },
    {
      text: {
        en: "Now for a goal: five of your marbles in a straight line, one on each rail, completed by a slide. Line n lacks only rail 4. Put the 3 there: line 3, rail 4.",
        fr: "Passons au but : cinq de tes billes en ligne droite, une par rail, complétée par un glissement. Il ne manque à la rangée n que le rail 4. Mets-y le 3 : rangée 3, rail 4.",
      },
      view: position([[1, 5, 2, 0], [2, 5, 1, 0], [3, 5, 1, 0], [5, 5, 1, 0], [2, 2, 1, 0], [1, 9, 0, 2], [2, 8, 0, 1], [4, 8, 0, 2], [5, 3, 0, 1]], 3),
      goal: /^3@4$/,
      praise: { en: "Close. Only a slide makes a goal.", fr: "Tout près. Seul un glissement fait un but." },
    },
    {
      text: { en: "Slide rail 4 towards 6: the board shows the goal before you do it.", fr: "Glisse le rail 4 vers 6 : le plateau montre le but avant que tu le fasses." },
      goal: /^right$/,
      praise: { en: "Goal! Five in a line.", fr: "But ! Cinq en ligne." },
    },
    {
      text: { en: "Take the line: taken marbles are points. You could also leave it standing and hope for more.", fr: "Prends la ligne : les billes prises sont des points. Tu pourrais aussi la laisser et espérer mieux." },
      goal: /^take$/,
      praise: { en: "Single marbles are taken at once; a stack asks how many.", fr: "Les billes seules sont prises aussitôt ; une pile demande combien." },
    },
    {
      text: { en: "The lit cup holds two. Take one or both.", fr: "L’alvéole éclairée en tient deux. Prends-en une ou les deux." },
      goal: /^[12]$/,
      praise: { en: "After fifteen turns each, more marbles won wins the game.", fr: "Après quinze tours chacun, qui a gagné le plus de billes gagne." },
    },
  ],
};
