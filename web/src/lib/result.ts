// How a match ended, in words: who won, and how if it was not played to its end.
import { t } from "./language.svelte";
import type { Table } from "./network";

export interface Result {
  headline: string;
  how: string;
}

/** The result for somebody who sits at these seats. */
export function resultOf(table: Table, seats: number[]): Result {
  const { ended } = table;
  const best = Math.max(0, ...(ended?.returns ?? []));
  const winners = table.seats.flatMap((seat, place) =>
    (ended?.returns[place] ?? 0) === best ? [{ seat, place }] : [],
  );
  const [winner] = winners;
  const mine = seats.length === 1 && seats[0] === winner?.place;
  const headline =
    winners.length !== 1 || !winner
      ? t("table.draw")
      : mine
        ? t("table.you-won")
        : t("table.won", { player: winner.seat.name });
  const how =
    ended && ended.how !== "played"
      ? t(`table.${ended.how}` as "table.resigned", {
          player: ended.seat === null ? "" : (table.seats[ended.seat]?.name ?? ""),
        })
      : "";
  return { headline, how };
}
