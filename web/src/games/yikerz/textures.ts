// The scene's painted pictures: the wood of the table, and the room that the stones mirror.
import { CanvasTexture, CubeTexture, RepeatWrapping, SRGBColorSpace } from "three";

/** Wood, seen from above: long quiet streaks, nearly white, which the table's colour tints. */
export function grain(): CanvasTexture {
  const board = document.createElement("canvas");
  [board.width, board.height] = [256, 512];
  const pen = board.getContext("2d")!;
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, 256, 512);
  // The same planks every time: a small generator of our own instead of Math.random.
  let seed = 7;
  const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let k = 0; k < 420; k++) {
    pen.fillStyle = `rgb(40 22 8 / ${(0.02 + 0.07 * random()).toFixed(3)})`;
    const [x, y, length] = [random() * 256, random() * 512, 40 + random() * 220];
    pen.fillRect(x, y, length, 0.6 + random() * 1.6);
    pen.fillRect(x - 256, y, length, 1);
  }
  for (let y = 0; y < 512; y += 128) {
    pen.fillStyle = "rgb(20 10 0 / 40%)";
    pen.fillRect(0, y, 256, 1.2);
    pen.fillStyle = `rgb(40 20 5 / ${(0.1 * random()).toFixed(3)})`;
    pen.fillRect(0, y, 256, 128);
  }
  const wood = new CanvasTexture(board);
  wood.wrapS = wood.wrapT = RepeatWrapping;
  wood.repeat.set(10, 10);
  wood.anisotropy = 4;
  wood.colorSpace = SRGBColorSpace;
  return wood;
}

/** A room to be mirrored in the stones, painted on a small cube: a window above, a lamp at one side, the table
 *  below. */
export function mirrored(window: string, wall: string, table: string): CubeTexture {
  const paint = (draw: (pen: CanvasRenderingContext2D) => void): HTMLCanvasElement => {
    const face = document.createElement("canvas");
    face.width = face.height = 32;
    const pen = face.getContext("2d")!;
    draw(pen);
    return face;
  };
  const plain = (colour: string): HTMLCanvasElement =>
    paint((pen) => {
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 32, 32);
    });
  const glowing = (x: number, y: number, width: number, height: number): HTMLCanvasElement =>
    paint((pen) => {
      pen.fillStyle = wall;
      pen.fillRect(0, 0, 32, 32);
      pen.filter = "blur(2px)";
      pen.fillStyle = window;
      pen.fillRect(x, y, width, height);
    });
  // Right, left, far, near, above, below.
  const room = new CubeTexture([
    plain(wall),
    glowing(6, 8, 20, 14),
    glowing(10, 12, 12, 8),
    plain(wall),
    glowing(4, 5, 15, 12),
    plain(table),
  ]);
  room.colorSpace = SRGBColorSpace;
  room.needsUpdate = true;
  return room;
}
