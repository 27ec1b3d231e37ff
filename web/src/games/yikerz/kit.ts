// The shapes of the magnets and the size of the mats, as the server describes them. They are drawn in `scene`.
import type { Json } from "../../contract";
import type { Point } from "./pose";

export interface Shape {
  name: string;
  size: Point;
  mass: number;
  /** Magnetic moment in the piece's own axes, A·m². */
  moment: Point;
  mesh: readonly Point[];
  /** Degrees by which it is turned about its own axis when it stands on its edge. */
  edgeTurn: number;
  /** Seen from above, lying: its outline in millimetres, for small pictures. */
  outline: string;
}
export interface Kit {
  shapes: ReadonlyMap<string, Shape>;
  side: number;
  thickness: number;
  /** True when the server did not tell the shapes, and plain stones stand in for them. */
  plain: boolean;
}

interface Told {
  shapes: {
    name: string;
    size_mm: number[];
    mass_g: number;
    moment_Am2: number[];
    mesh: number[][];
    edge_turn_deg?: number;
  }[];
  mat_side_mm: number;
  mat_thickness_mm: number;
}

const asPoint = (numbers: readonly number[]): Point => [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0];

export function readKit(answer: Json): Kit {
  const told = answer as unknown as Told;
  const shapes = told.shapes.map((shape): Shape => {
    const mesh = shape.mesh.map(asPoint);
    return {
      name: shape.name,
      size: asPoint(shape.size_mm),
      mass: shape.mass_g,
      moment: asPoint(shape.moment_Am2),
      mesh,
      edgeTurn: shape.edge_turn_deg ?? 0,
      outline: outlineOf(mesh),
    };
  });
  return {
    shapes: new Map(shapes.map((shape) => [shape.name, shape])),
    side: told.mat_side_mm,
    thickness: told.mat_thickness_mm,
    plain: false,
  };
}

/** Plain round stones under the names that the view uses, so that one can play where the shapes are not told. */
export function plainKit(names: Iterable<string>): Kit {
  const mesh: Point[] = [];
  for (const [part, z] of [
    [0.74, -3],
    [1, -1.3],
    [1, 1.3],
    [0.74, 3],
  ] as const)
    for (let k = 0; k < 16; k++)
      mesh.push([7 * part * Math.cos((k * Math.PI) / 8), 6 * part * Math.sin((k * Math.PI) / 8), z]);
  const shape = (name: string): Shape => ({
    name,
    size: [14, 12, 6],
    mass: 3.2,
    moment: [0.2, 0, 0],
    mesh,
    edgeTurn: 0,
    outline: outlineOf(mesh),
  });
  return { shapes: new Map([...names].map((name) => [name, shape(name)])), side: 140, thickness: 3, plain: true };
}

/** The convex outline of the corners seen from above (Andrew's chain), as an SVG path with y upward on the screen. */
function outlineOf(mesh: readonly Point[]): string {
  const points = mesh.map(([x, y]) => [x, y] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (order: typeof points): typeof points => {
    const kept: typeof points = [];
    for (const point of order) {
      while (kept.length > 1) {
        const [a, b] = [kept[kept.length - 2]!, kept[kept.length - 1]!];
        if ((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 1e-6) break;
        kept.pop();
      }
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  const hull = [...chain(points), ...chain([...points].reverse())];
  // Curves through the middles of the sides: as round as the stone is.
  const middle = hull.map((point, k) => {
    const after = hull[(k + 1) % hull.length]!;
    return [(point[0] + after[0]) / 2, (point[1] + after[1]) / 2] as const;
  });
  const text = (point: readonly [number, number] | undefined): string =>
    point ? `${point[0].toFixed(2)} ${(-point[1]).toFixed(2)}` : "0 0";
  return `M${text(middle[middle.length - 1])}${hull.map((point, k) => `Q${text(point)} ${text(middle[k])}`).join("")}Z`;
}
