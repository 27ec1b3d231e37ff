// The table in three dimensions: mats, stones, light, camera, and markers for the hand's height, forces and field.
// With `geometry` and `textures` the only module that uses three.js; loaded only with this game.
import {
  AddOperation,
  BackSide,
  BoxGeometry,
  type BufferGeometry,
  CircleGeometry,
  Color,
  ConeGeometry,
  type CubeTexture,
  CylinderGeometry,
  DirectionalLight,
  DoubleSide,
  Group,
  HemisphereLight,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhongMaterial,
  type Object3D,
  PCFShadowMap,
  PerspectiveCamera,
  Plane,
  PlaneGeometry,
  Quaternion,
  Raycaster,
  RingGeometry,
  Scene,
  SRGBColorSpace,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { slab, stone } from "./geometry";
import type { Kit } from "./kit";
import { inside, type Mat, MAT_COLOURS, matCorners } from "./mats";
import type { Point, Pose } from "./pose";
import { grain, mirrored } from "./textures";

export type Mood = "rest" | "able" | "chosen" | "marked" | "dim";
/** A cloth on the table beside the board, on which a player's stack lies. */
export interface Cloth {
  x: number;
  y: number;
  width: number;
  height: number;
  colour: string;
}
/** A piece on the board that something may move soon. */
export interface Strained {
  at: Pose;
  /** 1 is when it moves. */
  load: number;
}
export interface Force {
  at: Pose;
  /** Newtons. */
  force: Point;
}

const TINTS: { [shape: string]: string } = {
  pebble: "#2b2b2e",
  egg: "#2d2826",
  coin: "#25292d",
  shield: "#292629",
  pillow: "#252a27",
};
const MOODS: { [mood in Mood]: number } = { rest: 1, able: 1.35, chosen: 2.2, marked: 1, dim: 0.8 };
const DAY = {
  table: "#5a4a3d",
  sky: "#fff6e8",
  ground: "#6b5544",
  soft: 1.5,
  key: 2.3,
  window: "#eef4ff",
  wall: "#5d5348",
};
const NIGHT = {
  table: "#3b3026",
  sky: "#ffe3bd",
  ground: "#241a12",
  soft: 0.55,
  key: 2.0,
  window: "#ffd49a",
  wall: "#241c15",
};
const NEEDLES = 900;
/** Segments of a ring that closes as a piece is strained more. */
const ARC = 48;
/** From calm to about to happen; lightness tells it too. */
const CALM = new Color("#fff6e4");
const WARNING = new Color("#f0a51f");
const DANGER = new Color("#d3301d");
/** How far the hand and the piece must be apart to be drawn as two, millimetres and parts of a turn. */
const GHOST_MM = 0.35;
const GHOST_TURN = 2e-4;
const ARROWS = 40;

export class TableScene {
  /** Degrees that the viewer has walked round the table; 0: from the near side. */
  heading = 0;
  /** Degrees above the horizon from which the viewer looks. */
  elevation = 55;
  #distance = 500;
  readonly #target = new Vector3();
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(30, 1, 10, 4000);
  readonly #key = new DirectionalLight("#fff1dc", 2.6);
  readonly #fill = new HemisphereLight();
  readonly #table: Mesh<PlaneGeometry, MeshLambertMaterial>;
  readonly #mats = new Group();
  readonly #cloths = new Group();
  readonly #guide = new Group();
  readonly #goal: Mesh<RingGeometry, MeshBasicMaterial>;
  readonly #rope: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly #ring: Mesh<RingGeometry, MeshBasicMaterial>;
  readonly #foot: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly #ghost: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly #ghosts = new Map<string, BufferGeometry>();
  readonly #pull: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly #pullRim: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly #strains = new Group();
  readonly #arcs: { arc: Mesh<RingGeometry, MeshBasicMaterial>; track: Mesh<RingGeometry, MeshBasicMaterial> }[] = [];
  readonly #signs = { transparent: true, depthWrite: false, toneMapped: false } as const;
  #room: CubeTexture | null = null;
  readonly #stones = new Map<string, InstancedMesh<BufferGeometry, MeshPhongMaterial>>();
  readonly #slots = new Map<number, { mesh: InstancedMesh; slot: number; tint: Color }>();
  readonly #shafts: InstancedMesh<CylinderGeometry, MeshBasicMaterial>;
  readonly #heads: InstancedMesh<ConeGeometry, MeshBasicMaterial>;
  readonly #rims: InstancedMesh<BufferGeometry, MeshBasicMaterial>[];
  readonly #needles: InstancedMesh<BoxGeometry, MeshBasicMaterial>;
  readonly #spots: [number, number][] = [];
  /** The part of the screen's pixels that is drawn: all, unless that is too much for this machine. */
  #share = 1;
  #width = 1;
  #height = 1;
  // Scratch objects: nothing is allocated while a frame is made.
  readonly #m = new Matrix4();
  readonly #p = new Vector3();
  readonly #q = new Quaternion();
  readonly #s = new Vector3(1, 1, 1);
  readonly #c = new Color();
  readonly #ray = new Raycaster();
  readonly #plane = new Plane(new Vector3(0, 0, 1));

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly kit: Kit,
  ) {
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "low-power" });
    this.#renderer.outputColorSpace = SRGBColorSpace;
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#camera.up.set(0, 0, 1);
    // Shadows are drawn anew only when something has moved, not when the viewer does.
    this.#renderer.shadowMap.autoUpdate = false;
    this.#fill.position.set(0, 0, 1);
    this.#table = new Mesh(new PlaneGeometry(4000, 4000), new MeshLambertMaterial({ map: grain() }));
    this.#table.position.z = -kit.thickness;
    this.#table.receiveShadow = true;
    this.#key.castShadow = true;
    this.#key.shadow.mapSize.set(1024, 1024);
    this.#key.shadow.radius = 4;
    this.#key.shadow.bias = -0.0004;
    this.#key.shadow.normalBias = 0.25;
    const signs = this.#signs;
    this.#ring = new Mesh(
      new RingGeometry(0.93, 1, 64),
      new MeshBasicMaterial({ ...signs, color: "#ffffff", opacity: 0.85, side: DoubleSide }),
    );
    this.#foot = new Mesh(
      new CircleGeometry(1, 40),
      new MeshBasicMaterial({ ...signs, color: "#ffffff", opacity: 0.22 }),
    );
    this.#rope = new Mesh(
      new CylinderGeometry(0.35, 0.35, 1, 6).rotateX(Math.PI / 2).translate(0, 0, 0.5),
      new MeshBasicMaterial({ ...signs, color: "#ffffff", opacity: 0.75 }),
    );
    this.#guide.add(this.#ring, this.#foot, this.#rope);
    this.#guide.visible = false;
    this.#ghost = new Mesh(
      new CircleGeometry(1, 3),
      new MeshBasicMaterial({ ...signs, color: "#fff6e4", opacity: 0.34 }),
    );
    // A thorn that points where the field pulls, with a dark rim so that it stands out on all four mats.
    const thorn = (wide: number): BufferGeometry => new ConeGeometry(wide, 1, 12).translate(0, 0.5, 0);
    this.#pullRim = new Mesh(thorn(1.5), new MeshBasicMaterial({ ...signs, color: "#17110c", opacity: 0.7 }));
    this.#pull = new Mesh(thorn(1), new MeshBasicMaterial({ toneMapped: false }));
    this.#pullRim.material.side = BackSide;
    for (const mesh of [this.#ghost, this.#pull, this.#pullRim]) mesh.visible = false;
    this.#goal = new Mesh(
      new RingGeometry(9.5, 12, 48),
      new MeshBasicMaterial({ ...signs, color: "#fff6e4", opacity: 0.95, side: DoubleSide }),
    );
    this.#goal.visible = false;
    // Arrows are dark with a pale rim, so that they stand out on all four mats.
    const ink = new MeshBasicMaterial({ color: "#17110c", toneMapped: false });
    const rim = new MeshBasicMaterial({ color: "#fff6e4", toneMapped: false, side: BackSide });
    this.#shafts = new InstancedMesh(new CylinderGeometry(0.75, 0.75, 1, 10).translate(0, 0.5, 0), ink, ARROWS);
    this.#heads = new InstancedMesh(new ConeGeometry(2.4, 5.5, 16).translate(0, 2.5, 0), ink, ARROWS);
    this.#rims = [
      new InstancedMesh(new CylinderGeometry(1.35, 1.35, 1, 10).translate(0, 0.5, 0), rim, ARROWS),
      new InstancedMesh(new ConeGeometry(3.5, 7.6, 16).translate(0, 2.4, 0), rim, ARROWS),
    ];
    this.#rims[0]!.instanceMatrix = this.#shafts.instanceMatrix;
    this.#rims[1]!.instanceMatrix = this.#heads.instanceMatrix;
    this.#needles = new InstancedMesh(
      new BoxGeometry(6.5, 0.55, 0.2),
      new MeshBasicMaterial({ ...signs, color: "#ffffff", opacity: 0.9 }),
      NEEDLES,
    );
    for (const mesh of [this.#shafts, this.#heads, ...this.#rims, this.#needles]) {
      mesh.count = 0;
      mesh.frustumCulled = false;
    }
    this.#scene.add(
      this.#table,
      this.#mats,
      this.#cloths,
      this.#guide,
      this.#goal,
      this.#ghost,
      this.#pull,
      this.#pullRim,
      this.#strains,
      this.#shafts,
      this.#heads,
      ...this.#rims,
      this.#needles,
      this.#key,
      this.#key.target,
      this.#fill,
    );
    this.light(false);
  }

  /** By day or by night: the same table in another light. */
  light(night: boolean): void {
    const room = night ? NIGHT : DAY;
    this.#table.material.color.set(room.table);
    this.#scene.background = new Color(room.table);
    this.#key.intensity = room.key;
    this.#key.position.set(-160, 120, 420);
    this.#fill.color.set(room.sky);
    this.#fill.groundColor.set(room.ground);
    this.#fill.intensity = room.soft;
    this.#room?.dispose();
    this.#room = mirrored(room.window, room.wall, room.table);
    for (const { material } of this.#stones.values()) material.envMap = this.#room;
    this.#renderer.shadowMap.needsUpdate = true;
  }

  mats(mats: readonly Mat[]): void {
    empty(this.#mats);
    mats.forEach((mat, number) => {
      const corners = matCorners([0, 0, mat[2]], this.kit.side);
      const mesh = new Mesh(
        slab(
          corners.map(([x, y]) => [x * 0.994, y * 0.994]),
          this.kit.thickness,
        ),
        new MeshLambertMaterial({ color: MAT_COLOURS[number % MAT_COLOURS.length]! }),
      );
      mesh.position.set(mat[0], mat[1], -this.kit.thickness);
      mesh.castShadow = mesh.receiveShadow = true;
      this.#mats.add(mesh);
    });
    this.#aimLight(mats);
    this.#renderer.shadowMap.needsUpdate = true;
    this.#layNeedles(mats);
  }
  #aimLight(mats: readonly Mat[]): void {
    const reach = Math.max(160, ...mats.map(([x, y]) => Math.hypot(x, y) + this.kit.side)) + 60;
    const { camera } = this.#key.shadow;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 50;
    camera.far = 1200;
    camera.updateProjectionMatrix();
  }

  cloths(cloths: readonly Cloth[]): void {
    empty(this.#cloths);
    for (const { x, y, width, height, colour } of cloths) {
      const r = 7;
      const [w, h] = [width / 2 - r, height / 2 - r];
      const outline = Array.from({ length: 24 }, (_, k): [number, number] => {
        const turn = ((k + 0.5) * Math.PI) / 12;
        return [Math.sign(Math.cos(turn)) * w + r * Math.cos(turn), Math.sign(Math.sin(turn)) * h + r * Math.sin(turn)];
      });
      const mesh = new Mesh(slab(outline, 0.6), new MeshLambertMaterial({ color: colour }));
      mesh.position.set(x, y, -this.kit.thickness);
      mesh.receiveShadow = true;
      this.#cloths.add(mesh);
    }
  }

  /** Which stones there are; where they lie comes after. */
  pieces(pieces: readonly { id: number; shape: string }[]): void {
    for (const mesh of this.#stones.values()) {
      this.#scene.remove(mesh);
      mesh.geometry.dispose();
      mesh.material.dispose();
      mesh.dispose();
    }
    this.#stones.clear();
    this.#slots.clear();
    const kinds = new Map<string, number[]>();
    for (const { id, shape } of pieces) kinds.set(shape, [...(kinds.get(shape) ?? []), id]);
    for (const [name, ids] of kinds) {
      const shape = this.kit.shapes.get(name) ?? [...this.kit.shapes.values()][0];
      if (!shape) continue;
      const mesh = new InstancedMesh(
        stone(shape),
        new MeshPhongMaterial({
          specular: "#6a6662",
          shininess: 42,
          vertexColors: true,
          envMap: this.#room,
          combine: AddOperation,
          reflectivity: 0.16,
        }),
        ids.length,
      );
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      this.#stones.set(name, mesh);
      this.#scene.add(mesh);
      ids.forEach((id, slot) => {
        this.#slots.set(id, { mesh, slot, tint: new Color(TINTS[name] ?? "#29292b") });
        this.place(id, null);
        this.mood(id, "rest");
      });
    }
  }
  /** Put a stone somewhere; null: it is not to be seen. */
  place(id: number, pose: Pose | null): void {
    const one = this.#slots.get(id);
    if (!one) return;
    if (pose) {
      this.#p.set(pose[0], pose[1], pose[2]);
      this.#q.set(pose[4], pose[5], pose[6], pose[3]);
      this.#s.set(1, 1, 1);
    } else {
      this.#p.set(0, 0, -500);
      this.#q.identity();
      this.#s.setScalar(1e-4);
    }
    one.mesh.setMatrixAt(one.slot, this.#m.compose(this.#p, this.#q, this.#s));
    one.mesh.instanceMatrix.needsUpdate = true;
    one.mesh.boundingSphere = null;
    this.#renderer.shadowMap.needsUpdate = true;
  }
  mood(id: number, mood: Mood): void {
    const one = this.#slots.get(id);
    if (!one) return;
    one.mesh.setColorAt(one.slot, this.#c.copy(one.tint).multiplyScalar(MOODS[mood]));
    if (mood === "marked") one.mesh.setColorAt(one.slot, this.#c.set("#7a3b22"));
    if (one.mesh.instanceColor) one.mesh.instanceColor.needsUpdate = true;
  }

  /** How high the hand is: a plumb line, the foot it points at, and a ring that widens with the height. */
  guide(pose: Pose | null, gap = 0, onBoard = true): void {
    this.#guide.visible = pose !== null;
    if (!pose) return;
    // Off the mats too the ring lies at their height: lower it would dive under their edge.
    const floor = 0.35;
    this.#guide.position.set(pose[0], pose[1], floor);
    this.#ring.scale.setScalar(10 + gap * 0.3);
    this.#foot.scale.setScalar(7);
    this.#rope.scale.set(1, 1, Math.max(0.1, pose[2] - floor));
    this.#ring.material.opacity = onBoard ? 0.9 : 0.4;
    const near = Math.max(0, 1 - gap / 25);
    this.#ring.material.color.setRGB(1, 1 - 0.25 * near, 1 - 0.7 * near);
  }

  /** The held piece and the hand that holds it: a pale shape where the hand is, if that is elsewhere, and a thorn that
   *  grows with the force in its direction. `grip` is the part of the fingers' hold that is used up. */
  held(shape: string | null, piece: Pose | null, hand: Pose | null, pull: Point | null, grip: number): void {
    const apart = piece && hand && Math.hypot(piece[0] - hand[0], piece[1] - hand[1], piece[2] - hand[2]);
    const turn = piece && hand ? 1 - Math.abs([3, 4, 5, 6].reduce((sum, k) => sum + piece[k]! * hand[k]!, 0)) : 0;
    const outline = shape === null ? undefined : this.#outline(shape);
    this.#ghost.visible = Boolean(outline && hand && apart !== null && (apart > GHOST_MM || turn > GHOST_TURN));
    if (this.#ghost.visible && hand && outline) {
      this.#ghost.geometry = outline;
      this.#ghost.position.set(hand[0], hand[1], hand[2]);
      this.#ghost.quaternion.set(hand[4], hand[5], hand[6], hand[3]);
    }
    const size = pull ? Math.hypot(...pull) : 0;
    const visible = piece !== null && pull !== null && size > 0.002;
    this.#pull.visible = this.#pullRim.visible = visible;
    if (!visible) return;
    // From the middle: the first millimetres are inside the piece. A hundredth of a newton is seen, a newton fits.
    const length = 6 + 75 * Math.sqrt(Math.min(size, 0.6));
    const wide = 1.7 + 2 * Math.min(1, Math.sqrt(size / 0.1));
    this.#p.set(...pull).normalize();
    for (const mesh of [this.#pull, this.#pullRim]) {
      mesh.position.set(piece[0], piece[1], piece[2]);
      mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), this.#p);
      mesh.scale.set(wide, length + (mesh === this.#pullRim ? 1.5 : 0), wide);
    }
    this.#pull.material.color.copy(tension(this.#c, Math.max(grip, size / 0.06)));
  }
  #outline(shape: string): BufferGeometry | undefined {
    const known = this.#ghosts.get(shape);
    const kind = known ? undefined : this.kit.shapes.get(shape);
    if (kind) this.#ghosts.set(shape, stone(kind));
    return known ?? this.#ghosts.get(shape);
  }

  /** Rings around pieces, which close as the pieces come nearer to moving. */
  strained(pieces: readonly Strained[]): void {
    while (this.#arcs.length < pieces.length) {
      const start = Math.PI / 2;
      const arc = new Mesh(
        new RingGeometry(10.4, 12.6, ARC, 1, start),
        new MeshBasicMaterial({ ...this.#signs, side: DoubleSide }),
      );
      const track = new Mesh(
        new RingGeometry(9.5, 13.5, ARC),
        new MeshBasicMaterial({ ...this.#signs, color: "#17110c", opacity: 0.4 }),
      );
      arc.renderOrder = 1;
      this.#arcs.push({ arc, track });
      this.#strains.add(track, arc);
    }
    this.#arcs.forEach(({ arc, track }, k) => {
      const piece = pieces[k];
      arc.visible = track.visible = piece !== undefined;
      if (!piece) return;
      const load = Math.min(1, piece.load);
      arc.position.set(piece.at[0], piece.at[1], 0.55);
      track.position.set(piece.at[0], piece.at[1], 0.45);
      arc.geometry.setDrawRange(0, 6 * Math.max(1, Math.round(ARC * load)));
      tension(arc.material.color, load);
      arc.material.opacity = 0.55 + 0.45 * load;
      track.material.opacity = 0.25 + 0.5 * load; // a red arc must stand out on the red mat, too
    });
  }

  /** A ring on the mat where a hint would put the piece. */
  goal(pose: Pose | null): void {
    this.#goal.visible = pose !== null;
    if (pose) this.#goal.position.set(pose[0], pose[1], 0.45);
  }

  /** Arrows for the forces on the pieces: a newton is long, a weight is short, so lengths grow like the square root. */
  forces(forces: readonly Force[]): void {
    for (const mesh of [this.#shafts, this.#heads, ...this.#rims]) mesh.count = Math.min(ARROWS, forces.length);
    const up = new Vector3(0, 1, 0);
    const direction = new Vector3();
    forces.slice(0, ARROWS).forEach(({ at, force }, k) => {
      const size = Math.hypot(...force);
      const length = size < 1e-4 ? 0.001 : 8 + 55 * Math.sqrt(Math.min(size, 2));
      direction.set(...force).normalize();
      this.#q.setFromUnitVectors(up, size < 1e-4 ? up : direction);
      this.#p.set(at[0], at[1], at[2]).addScaledVector(direction, 4);
      this.#shafts.setMatrixAt(
        k,
        this.#m.compose(this.#p, this.#q, this.#s.set(size < 1e-4 ? 1e-4 : 1, length, size < 1e-4 ? 1e-4 : 1)),
      );
      this.#p.addScaledVector(direction, length);
      this.#heads.setMatrixAt(k, this.#m.compose(this.#p, this.#q, this.#s.setScalar(size < 1e-4 ? 1e-4 : 1)));
    });
    this.#shafts.instanceMatrix.needsUpdate = this.#heads.instanceMatrix.needsUpdate = true;
  }

  #layNeedles(mats: readonly Mat[]): void {
    this.#spots.length = 0;
    const triangles = mats.map((mat) => matCorners(mat, this.kit.side));
    const xs = triangles.flat().map(([x]) => x);
    const ys = triangles.flat().map(([, y]) => y);
    const step = 8.5;
    let odd = 0;
    for (let y = Math.min(...ys) + 4; y < Math.max(...ys); y += step * 0.866, odd ^= 1)
      for (let x = Math.min(...xs) + 4 + (odd * step) / 2; x < Math.max(...xs); x += step)
        if (this.#spots.length < NEEDLES && triangles.some((triangle) => inside(triangle, x, y)))
          this.#spots.push([x, y]);
  }
  /** Iron filings on the mats: how the field lies there. `magnets` are the poses and the moments of those that act;
   *  null hides them. */
  field(magnets: readonly { pose: Pose; moment: Point }[] | null): void {
    this.#needles.count = magnets?.length ? this.#spots.length : 0;
    if (!magnets?.length) return;
    // Flat arrays and no objects: this is the one loop of the page that runs tens of thousands of times.
    const sources = new Float64Array(magnets.length * 6);
    magnets.forEach(({ pose, moment }, k) => {
      this.#p.set(...moment).applyQuaternion(this.#q.set(pose[4], pose[5], pose[6], pose[3]));
      sources.set([pose[0], pose[1], pose[2], this.#p.x, this.#p.y, this.#p.z], 6 * k);
    });
    const matrices = this.#needles.instanceMatrix.array;
    const z = 0.6;
    for (let k = 0; k < this.#spots.length; k++) {
      const spot = this.#spots[k]!;
      const x = spot[0];
      const y = spot[1];
      let bx = 0;
      let by = 0;
      for (let s = 0; s < sources.length; s += 6) {
        const dx = x - sources[s]!;
        const dy = y - sources[s + 1]!;
        const dz = z - sources[s + 2]!;
        const mx = sources[s + 3]!;
        const my = sources[s + 4]!;
        const square = dx * dx + dy * dy + dz * dz + 30;
        const along = (3 * (mx * dx + my * dy + sources[s + 5]! * dz)) / square;
        const fall = 1 / (square * Math.sqrt(square));
        bx += (along * dx - mx) * fall;
        by += (along * dy - my) * fall;
      }
      // 0.1 µT·m/A and millimetres: the field in millitesla is 1e5 of these numbers; filings stand out from half a
      // millitesla on.
      const size = Math.sqrt(bx * bx + by * by) + 1e-30;
      const strength = Math.min(1, Math.max(0.12, (Math.log10(size * 1e5 + 1e-9) + 1) / 2.2));
      const long = (0.35 + 0.75 * strength) / size;
      const wide = (0.5 + strength) / size;
      const m = 16 * k;
      matrices[m] = bx * long;
      matrices[m + 1] = by * long;
      matrices[m + 4] = -by * wide;
      matrices[m + 5] = bx * wide;
      matrices[m + 10] = 1;
      matrices[m + 12] = x;
      matrices[m + 13] = y;
      matrices[m + 14] = z;
      matrices[m + 15] = 1;
    }
    this.#needles.instanceMatrix.needsUpdate = true;
  }

  // --- looking ---

  resize(width: number, height: number): void {
    this.#width = Math.max(1, width);
    this.#height = Math.max(1, height);
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio) * this.#share);
    this.#renderer.setSize(this.#width, this.#height, false);
    this.#camera.aspect = this.#width / this.#height;
    this.#camera.updateProjectionMatrix();
    this.#look();
  }
  /** Draw less: first fewer pixels, then no shadows. For machines that draw without a graphics card. */
  coarser(): void {
    if (this.#share > 0.5) this.#share = this.#share > 0.7 ? 0.7 : 0.5;
    else if (this.#key.castShadow) this.#key.castShadow = false;
    else return;
    this.resize(this.#width, this.#height);
  }
  #look(): void {
    const [a, e] = [(this.heading * Math.PI) / 180, (this.elevation * Math.PI) / 180];
    this.#camera.position.set(
      this.#target.x + this.#distance * Math.cos(e) * Math.sin(a),
      this.#target.y - this.#distance * Math.cos(e) * Math.cos(a),
      this.#target.z + this.#distance * Math.sin(e),
    );
    // Straight from above "up" would be undefined: the far side of the table is up then.
    this.#camera.up.set(-Math.sin(a) * Math.sin(e), Math.cos(a) * Math.sin(e), Math.cos(e));
    this.#camera.lookAt(this.#target);
    this.#camera.updateMatrixWorld();
  }
  orbit(heading: number, elevation: number): void {
    this.heading = ((((this.heading + heading + 180) % 360) + 360) % 360) - 180;
    this.elevation = Math.min(89.9, Math.max(18, this.elevation + elevation));
    this.#look();
  }
  zoom(factor: number): void {
    this.#distance = Math.min(1800, Math.max(120, this.#distance * factor));
    this.#look();
  }
  /** Look so that all these points can be seen, as near as possible. */
  frame(points: readonly Point[], heading: number, elevation: number): void {
    this.heading = heading;
    this.elevation = elevation;
    const seen = points.map((point) => new Vector3(...point));
    const middle = (axis: "x" | "y"): number =>
      (Math.min(...seen.map((p) => p[axis])) + Math.max(...seen.map((p) => p[axis]))) / 2;
    this.#target.set(middle("x"), middle("y"), 0);
    this.#distance = 700;
    for (let round = 0; round < 12; round++) {
      this.#look();
      const shown = seen.map((point) => point.clone().project(this.#camera));
      const [left, right] = [Math.min(...shown.map((p) => p.x)), Math.max(...shown.map((p) => p.x))];
      const [low, high] = [Math.min(...shown.map((p) => p.y)), Math.max(...shown.map((p) => p.y))];
      const tall = this.#distance * Math.tan((this.#camera.fov * Math.PI) / 360);
      const a = (heading * Math.PI) / 180;
      const right_mm = ((left + right) / 2) * tall * this.#camera.aspect;
      const away_mm = (((low + high) / 2) * tall) / Math.max(0.3, Math.sin((elevation * Math.PI) / 180));
      this.#target.x += right_mm * Math.cos(a) - away_mm * Math.sin(a);
      this.#target.y += right_mm * Math.sin(a) + away_mm * Math.cos(a);
      this.#distance *= Math.max((right - left) / 2, (high - low) / 2) / 0.96;
    }
    this.#look();
  }
  /** Where a point of the table is in the canvas, in CSS pixels. */
  project(x: number, y: number, z: number): [number, number] {
    const p = this.#p.set(x, y, z).project(this.#camera);
    return [((p.x + 1) / 2) * this.#width, ((1 - p.y) / 2) * this.#height];
  }
  #cast(x: number, y: number): void {
    this.#ray.setFromCamera(new Vector2((x / this.#width) * 2 - 1, 1 - (y / this.#height) * 2), this.#camera);
  }
  /** The point under the pointer at this height, millimetres. */
  ground(x: number, y: number, height: number): [number, number] | null {
    this.#cast(x, y);
    this.#plane.constant = -height;
    const hit = this.#ray.ray.intersectPlane(this.#plane, new Vector3());
    return hit ? [hit.x, hit.y] : null;
  }
  /** The stone under the pointer. */
  stoneAt(x: number, y: number): number | null {
    this.#cast(x, y);
    let best: { id: number; distance: number } | null = null;
    for (const mesh of this.#stones.values())
      for (const hit of this.#ray.intersectObject(mesh))
        if (!best || hit.distance < best.distance)
          for (const [id, one] of this.#slots)
            if (one.mesh === mesh && one.slot === hit.instanceId) best = { id, distance: hit.distance };
    return best?.id ?? null;
  }

  render(): void {
    this.#renderer.render(this.#scene, this.#camera);
  }
  destroy(): void {
    this.#table.material.map?.dispose();
    for (const outline of this.#ghosts.values()) outline.dispose();
    discard(this.#scene);
    for (const mesh of [...this.#stones.values(), this.#shafts, this.#heads, ...this.#rims, this.#needles])
      mesh.dispose();
    this.#room?.dispose();
    this.#key.dispose();
    this.#renderer.dispose();
  }
}

/** The colour of something that is about to give way at 1. */
function tension(colour: Color, share: number): Color {
  const s = Math.min(1, Math.max(0, share));
  return s < 0.6 ? colour.lerpColors(CALM, WARNING, s / 0.6) : colour.lerpColors(WARNING, DANGER, (s - 0.6) / 0.4);
}
function discard(root: Object3D): void {
  root.traverse((one) => {
    if (!(one instanceof Mesh)) return;
    (one.geometry as BufferGeometry).dispose();
    for (const material of [one.material].flat()) (material as MeshBasicMaterial).dispose();
  });
}
function empty(group: Group): void {
  discard(group);
  group.clear();
}
