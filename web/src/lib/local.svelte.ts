// A position that is played in this window alone, with the server's rules: lessons, puzzles, shared positions.
import type { Json, Moment, Table, View } from "../contract";
import { post } from "./api";
import { previewOf, latelyOf, momentOf } from "./connection.svelte";
import type { Answer, Question } from "./network";

export class LocalMatch {
  moment: Moment | null = $state.raw(null);
  problem: string | null = $state(null);
  actions: string[] = $state.raw([]);
  #counter = 0;

  constructor(
    readonly game: string,
    readonly players: number,
    readonly options: { [key: string]: Json },
    readonly setup: View | null,
    readonly names: string[],
    readonly seed: string,
  ) {}

  #question(actions: readonly string[]): Question {
    return {
      game: this.game,
      players: this.players,
      options: this.options,
      setup: this.setup,
      actions: [...actions],
      names: this.names,
      seed: this.seed,
    };
  }
  async #go(actions: string[]): Promise<void> {
    this.problem = null;
    try {
      const answer = await post<Answer>("/api/position", this.#question(actions));
      this.actions = answer.steps.map((step) => step.action);
      this.#counter += 1;
      const last = answer.steps.at(-1);
      const position =
        answer.position.to_move === "chance"
          ? { ...answer.position, legal: { ...answer.position.legal, actions: [] } }
          : answer.position;
      this.peek = this.#peekAfter(this.actions);
      this.moment = momentOf(position, this.#counter, actions.length && last ? last : null, latelyOf(answer.steps));
    } catch (problem) {
      this.problem = (problem as Error).message;
    }
  }
  begin = (actions: string[] = []): Promise<void> => this.#go(actions);
  play = (action: string): Promise<void> => this.#go([...this.actions, action]);
  roll = (): Promise<void> => this.#go([...this.actions, "?"]);
  undo = (): Promise<void> => this.#go(this.actions.slice(0, -1));
  /** Bound to its moment: a board that still shows the one before asks about what it shows. */
  #peekAfter(played: readonly string[]): Table["peek"] {
    return async (actions) => {
      const answer = await post<Answer>("/api/position", {
        ...this.#question([...played, ...actions]),
        from: played.length,
      });
      return previewOf(answer.position, answer.steps);
    };
  }
  peek = this.#peekAfter([]);
}
