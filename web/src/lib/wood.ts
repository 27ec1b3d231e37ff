// Wood for the boards: the grain as one path, the same for the same seed. What is made of it is the boards' business.

/** Lines along the longer side that run side by side, waver a little, and part around a knot here and there. */
export function grain(x: number, y: number, width: number, height: number, seed: number, lines: number): string {
  const upright = height > width;
  const [long, wide] = upright ? [height, width] : [width, height];
  let state = seed * 7919 + 17;
  const chance = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  const knot = { at: chance() * long, across: chance() * wide, reach: wide * (0.1 + 0.12 * chance()) };
  const point = (along: number, across: number): string => {
    const near = Math.exp(-(((along - knot.at) / (knot.reach * 3.2)) ** 2));
    const away = across < knot.across ? -1 : 1;
    const bent = Math.min(wide - 1, Math.max(1, across + away * near * knot.reach * Math.exp(-(((across - knot.across) / (knot.reach * 1.6)) ** 2))));
    const [a, b] = [Math.round((upright ? x + bent : x + along) * 10) / 10, Math.round((upright ? y + along : y + bent) * 10) / 10];
    return `${a} ${b}`;
  };
  return Array.from({ length: lines }, (_, line) => {
    const across = ((line + 0.3 + 0.4 * chance()) / lines) * wide;
    const [lean, wave] = [(chance() - 0.5) * wide * 0.06, (chance() - 0.5) * wide * 0.03];
    const [from, to] = [chance() < 0.3 ? chance() * 0.3 : 0, chance() < 0.3 ? 1 - chance() * 0.3 : 1];
    const steps = 12;
    const points = Array.from({ length: steps + 1 }, (_, step) => {
      const share = from + ((to - from) * step) / steps;
      return point(share * long, across + lean * share + wave * Math.sin(share * 9 + line));
    });
    return `M${points.join("L")}`;
  }).join("");
}
