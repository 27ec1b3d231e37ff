// What decided a match, read from its review: the turning point, somebody's largest mistakes, luck and skill.
// The review itself is the host's.
import type { Review, ReviewedMoment } from "./network";

/** A difference in the chance to win that is worth a word. */
const WORTH = 0.05;

/** The moment from which on the winner was never again behind; where that was always so, the one that brought the
 *  winner most. Null where the chances are not known, or nobody won alone. */
export function turningPoint(moments: readonly ReviewedMoment[], winner: number): ReviewedMoment | null {
  const known = moments.filter(({ chances }) => chances);
  const chance = (moment: ReviewedMoment | undefined): number | null => moment?.chances?.[winner] ?? null;
  const ahead = (moment: ReviewedMoment): boolean => {
    const own = chance(moment) ?? 0;
    return moment.chances!.every((other, seat) => seat === winner || other <= own);
  };
  const behind = known.findLastIndex((moment) => !ahead(moment));
  if (behind >= 0 && behind + 1 < known.length) return known[behind + 1] ?? null;
  let [best, most]: [ReviewedMoment | null, number] = [null, 0];
  for (const [place, moment] of known.entries()) {
    const gain = (chance(moment) ?? 0) - (chance(known[place - 1]) ?? chance(moment) ?? 0);
    if (gain > most) [best, most] = [moment, gain];
  }
  return best;
}

/** A seat's chance to win right before a moment, if it is known. */
export const chanceBefore = (
  moments: readonly ReviewedMoment[],
  { place }: ReviewedMoment,
  seat: number,
): number | null => moments.findLast((moment) => moment.place < place && moment.chances)?.chances?.[seat] ?? null;

/** The largest mistakes of a seat, the worst first. */
export const mistakesOf = (moments: readonly ReviewedMoment[], seat: number, most = 3): ReviewedMoment[] =>
  moments
    .filter(({ by, size }) => by === seat && size)
    .toSorted((one, other) => (other.lost ?? 0) - (one.lost ?? 0))
    .slice(0, most);

/** What a match was decided by, as a word for somebody who sat there: skill, luck, both, or hardly anything. */
export function decidedBy(review: Review, seat: number, won: boolean): "skill" | "luck" | "both" | "close" {
  const own = review.players[seat];
  const others = review.players.filter((_, place) => place !== seat);
  const least = Math.min(...others.map(({ lost }) => lost));
  const sign = won ? 1 : -1;
  const luck = sign * (own?.luck ?? 0) > WORTH;
  const skill = sign * (least - (own?.lost ?? 0)) > WORTH;
  return luck && skill ? "both" : luck ? "luck" : skill ? "skill" : "close";
}
