// The magnets and mats as triangles. They are lit and drawn in `scene`.
import { BufferAttribute, BufferGeometry, Vector3 } from "three";
import { ConvexHull } from "three/examples/jsm/math/ConvexHull.js";
import type { Shape } from "./kit";
import type { Point } from "./pose";

/** A stone's flat faces: the hull's triangles, joined where they lie in one plane, each as its corners in order. */
function facesOf(mesh: readonly Point[]): { corners: Vector3[]; normal: Vector3 }[] {
  const hull = new ConvexHull().setFromPoints(mesh.map((corner) => new Vector3(...corner)));
  const faces: { corners: Set<Vector3>; normal: Vector3 }[] = [];
  for (const { edge: first, normal } of hull.faces) {
    const point = first.head().point;
    let face = faces.find(
      (other) =>
        other.normal.dot(normal) > 0.9995 && Math.abs(normal.dot(point) - normal.dot([...other.corners][0]!)) < 0.02,
    );
    if (!face) faces.push((face = { corners: new Set(), normal: normal.clone() }));
    let edge = first;
    do {
      face.corners.add(edge.head().point);
      edge = edge.next;
    } while (edge !== first);
  }
  return faces.map(({ corners, normal }) => {
    const middle = [...corners].reduce((sum, corner) => sum.add(corner), new Vector3()).divideScalar(corners.size);
    const across = [...corners][0]!.clone().sub(middle).normalize();
    const up = normal.clone().cross(across);
    const angle = (corner: Vector3): number =>
      Math.atan2(corner.clone().sub(middle).dot(up), corner.clone().sub(middle).dot(across));
    return { corners: [...corners].sort((a, b) => angle(a) - angle(b)), normal };
  });
}

/** The stone as triangles: flat where it is flat, rounded by the light toward its edges, with a small mark near its
 *  north end. */
export function stone(shape: Shape): BufferGeometry {
  const faces = facesOf(shape.mesh);
  const smooth = new Map<Vector3, Vector3>();
  for (const { corners, normal } of faces)
    for (const corner of corners) smooth.set(corner, (smooth.get(corner) ?? new Vector3()).add(normal));
  for (const normal of smooth.values()) normal.normalize();
  const places: number[] = [];
  const normals: number[] = [];
  const colours: number[] = [];
  const corner = (at: Vector3, normal: Vector3): void => {
    places.push(at.x, at.y, at.z);
    normals.push(normal.x, normal.y, normal.z);
    colours.push(1, 1, 1);
  };
  for (const { corners, normal } of faces) {
    const middle = corners.reduce((sum, point) => sum.add(point), new Vector3()).divideScalar(corners.length);
    // A large face keeps its plain middle; only the rim bends the light.
    const inner = corners.length > 4 ? corners.map((point) => point.clone().lerp(middle, 0.32)) : null;
    corners.forEach((point, k) => {
      const next = (k + 1) % corners.length;
      const after = corners[next]!;
      if (inner) {
        for (const [at, shade] of [
          [point, smooth.get(point)!],
          [after, smooth.get(after)!],
          [inner[next]!, normal],
          [point, smooth.get(point)!],
          [inner[next]!, normal],
          [inner[k]!, normal],
          [inner[k]!, normal],
          [inner[next]!, normal],
          [middle, normal],
        ] as const)
          corner(at, shade);
      } else if (k > 0 && next > 0) {
        const first = corners[0]!;
        for (const at of [first, point, after]) corner(at, smooth.get(at)!);
      }
    });
  }
  // The mark: a small pale dot in both flat faces, toward +x, where the moment points.
  const [length, , thickness] = shape.size;
  const [cx, r] = [length * 0.24, 0.75];
  for (const side of [1, -1])
    for (let k = 0; k < 10; k++) {
      const [a, b] = [(k * Math.PI) / 5, ((k + 1) * Math.PI) / 5];
      const z = side * (thickness / 2 + 0.03);
      const fan = [
        [cx, 0, z],
        [cx + r * Math.cos(a), r * Math.sin(a), z],
        [cx + r * Math.cos(b), r * Math.sin(b), z],
      ];
      if (side < 0) fan.reverse();
      for (const corner of fan) {
        places.push(...corner);
        normals.push(0, 0, side);
        colours.push(9, 8.2, 7);
      }
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(colours), 3));
  return geometry;
}

/** A convex outline, counter-clockwise, as a slab that stands on z = 0, its upper edge a little blunted. */
export function slab(outline: readonly (readonly [number, number])[], thickness: number): BufferGeometry {
  const blunt = Math.min(0.5, thickness / 3);
  const shrink = ([x, y]: readonly [number, number]): readonly [number, number] => {
    const part = 1 - blunt / Math.hypot(x, y);
    return [x * part, y * part];
  };
  const places: number[] = [];
  const triangle = (...corners: (readonly [readonly [number, number], number])[]): void =>
    corners.forEach(([[x, y], z]) => places.push(x, y, z));
  outline.forEach((a, k) => {
    const b = outline[(k + 1) % outline.length]!;
    const [inA, inB] = [shrink(a), shrink(b)];
    const edge = thickness - blunt;
    triangle([[0, 0], thickness], [inA, thickness], [inB, thickness]);
    triangle([a, edge], [b, edge], [inB, thickness]);
    triangle([a, edge], [inB, thickness], [inA, thickness]);
    triangle([a, 0], [b, 0], [b, edge]);
    triangle([a, 0], [b, edge], [a, edge]);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.computeVertexNormals();
  return geometry;
}
