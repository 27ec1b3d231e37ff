// Wood for the boards: the grain as a picture that is made once and is clear between its lines, so that it lies on
// any colour.
// A picture rather than paths: stroking hundreds of long lines anew for each frame of a slide is too much for a slow
// phone.
const pictures = new Map<string, string>();

/** Lines along the picture's width that run side by side, waver, and part around a knot. The same seed gives the
 *  same wood. */
export function grain(width: number, height: number, seed: number, lines: number): string {
  const key = [width, height, seed, lines].join();
  const known = pictures.get(key);
  if (known !== undefined) return known;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  // It is read at once: a graphics card would first have to draw it and send it back, and the page would wait.
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) return ""; // plain wood will do
  let state = seed * 7919 + 17;
  const chance = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  const knot = { x: chance() * width, y: chance() * height, reach: height * (0.1 + 0.12 * chance()) };
  const bent = (x: number, y: number): number => {
    const near = Math.exp(-(((x - knot.x) / (knot.reach * 3.2)) ** 2) - ((y - knot.y) / (knot.reach * 1.6)) ** 2);
    return y + (y < knot.y ? -1 : 1) * near * knot.reach;
  };
  for (let line = 0; line < lines; line++) {
    const y = ((line + 0.2 + 0.6 * chance()) / lines) * height;
    const [lean, wave, phase] = [(chance() - 0.5) * height * 0.06, (chance() - 0.5) * height * 0.03, chance() * 9];
    pen.lineWidth = 0.7 + 1.1 * chance();
    pen.globalAlpha = 0.35 + 0.65 * chance();
    pen.beginPath();
    for (let x = 0; x <= width; x += width / 40)
      pen.lineTo(x, bent(x, y + (lean * x) / width + wave * Math.sin((x / width) * 9 + phase)));
    pen.stroke();
  }
  const picture = canvas.toDataURL("image/png");
  pictures.set(key, picture);
  return picture;
}
