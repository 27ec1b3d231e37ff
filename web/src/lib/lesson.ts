// What a first lesson is: real positions with something to do in each; the rules themselves are asked of the server.
import type { View } from "../contract";

export interface LessonStep {
  text: { en: string; fr: string };
  /** The position to show; without one, the lesson goes on from where the step before ended. */
  view?: View;
  /** What counts as done: an action's text. Without it there is only something to read. */
  goal?: RegExp;
  praise?: { en: string; fr: string };
}
export interface Lesson {
  players: number;
  steps: LessonStep[];
}

export const LESSONS: { [game: string]: () => Promise<{ lesson: Lesson }> } = {
  "yam-master": () => import("../games/yam-master/lesson"),
  wykersham: () => import("../games/wykersham/lesson"),
  twisty: () => import("../games/twisty/lesson"),
  yikerz: () => import("../games/yikerz/lesson"),
};
