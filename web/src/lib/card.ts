// A picture of a result, to be shared: the game's own picture, who played, and how it ended. Drawn here, so that
// nothing has to be stored for it; what other sites show of a link is the server's part.
import type { Manifest } from "../contract";

export interface CardText {
  title: string;
  headline: string;
  /** A player each: the name, and how they stand in the end. */
  rows: readonly { name: string; standing: string; won: boolean }[];
  /** Where it was played. */
  place: string;
}

export const [WIDTH, HEIGHT] = [1200, 630];
const ART = 560;
const [PAPER, INK, SOFT] = ["#fbf5e8", "#2a2018", "#655441"];
/** The same as in GameArt: manifests shade their pictures with them. */
const SHADES = `<defs>
  <radialGradient id="art-light" cx="0.34" cy="0.28" r="0.85"><stop offset="0" stop-color="#fff" stop-opacity="0.6"/>
    <stop offset="0.4" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#1c0a00" stop-opacity="0.4"/>
  </radialGradient>
  <linearGradient id="art-round" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fff" stop-opacity="0.45"/>
    <stop offset="0.5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#2a1000" stop-opacity="0.4"/>
  </linearGradient>
  <linearGradient id="art-turned" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#000" stop-opacity="0.25"/>
    <stop offset="0.34" stop-color="#fff" stop-opacity="0.35"/><stop offset="0.62" stop-color="#fff" stop-opacity="0"/>
    <stop offset="1" stop-color="#000" stop-opacity="0.4"/></linearGradient></defs>`;

async function picture(manifest: Manifest): Promise<HTMLImageElement> {
  const whole = `<svg xmlns="http://www.w3.org/2000/svg" width="${ART}" height="${HEIGHT}" viewBox="0 0 320 200"
    preserveAspectRatio="xMidYMid slice">${SHADES}${manifest.art()}</svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(whole)}`;
  await image.decode();
  return image;
}

/** The lines that a text needs within a width. */
function wrapped(pen: CanvasRenderingContext2D, text: string, width: number, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.slice(0, most);
}

export async function drawCard(manifest: Manifest, text: CardText): Promise<Blob> {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.drawImage(await picture(manifest), 0, 0, ART, HEIGHT);
  pen.fillStyle = manifest.day.accent;
  pen.fillRect(ART, 0, 10, HEIGHT);
  const [left, room] = [ART + 60, WIDTH - ART - 110];
  let y = 96;
  const write = (words: string, font: string, colour: string, high: number, most = 2): void => {
    pen.font = font;
    pen.fillStyle = colour;
    for (const line of wrapped(pen, words, room, most)) {
      pen.fillText(line, left, y, room);
      y += high;
    }
  };
  write(text.title, '600 44px "Alegreya", serif', manifest.day.accent, 52);
  y += 18;
  write(text.headline, '600 68px "Alegreya", serif', INK, 74);
  y += 24;
  for (const { name, standing, won } of text.rows) {
    write(name, `${won ? 700 : 400} 38px "Alegreya Sans", sans-serif`, INK, 40, 1);
    write(standing, '400 30px "Alegreya Sans", sans-serif', SOFT, 50, 1);
  }
  pen.font = '400 28px "Alegreya Sans", sans-serif';
  pen.fillStyle = SOFT;
  pen.fillText(text.place, left, HEIGHT - 40, room);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"),
  );
}
