// As much of MuJoCo's WebAssembly build (npm's @mujoco/mujoco) as the page uses. Arrays are views into its memory: they
// are detached when that grows.

export interface Model {
  readonly geom_contype: Int32Array;
  readonly geom_conaffinity: Int32Array;
  readonly body_contype: Int32Array;
  readonly body_conaffinity: Int32Array;
  readonly body_geomadr: Int32Array;
  readonly tree_sleep_policy: Int32Array;
  /** Time constant and damping ratio of each geom's contacts. */
  readonly geom_solref: Float64Array;
  readonly opt: Options;
  delete(): void;
}
export interface Options {
  timestep: number;
  impratio: number;
  delete(): void;
}
export interface Contact {
  readonly geom1: number;
  readonly geom2: number;
  readonly frame: Float64Array;
  delete(): void;
}
interface Contacts {
  size(): number;
  get(k: number): Contact | undefined;
  delete(): void;
}
export interface Data {
  readonly qpos: Float64Array;
  readonly qvel: Float64Array;
  readonly qfrc_passive: Float64Array;
  readonly qacc_warmstart: Float64Array;
  readonly tree_asleep: Int32Array;
  readonly tree_awake: Int32Array;
  readonly body_awake: Int32Array;
  readonly body_awake_ind: Int32Array;
  readonly parent_awake_ind: Int32Array;
  readonly dof_awake_ind: Int32Array;
  ntree_awake: number;
  nbody_awake: number;
  nparent_awake: number;
  nv_awake: number;
  readonly ncon: number;
  /** A copy; each one must be deleted. */
  readonly contact: Contacts;
  delete(): void;
}
export interface MuJoCo {
  MjModel: { from_xml_string(description: string): Model };
  MjData: new (model: Model) => Data;
  mj_forward(model: Model, data: Data): void;
  mj_step1(model: Model, data: Data): void;
  mj_step2(model: Model, data: Data): void;
}

/** Sleep policies of a body, and the value of `tree_asleep` for one that is awake and has not begun to count. */
export const [NEVER, ALLOWED, FULLY_AWAKE] = [3, 4, -11];
/** States in `body_awake`. */
const [STATIC, ASLEEP, AWAKE] = [-1, 0, 1];

/** What MuJoCo's mj_updateSleep does, which its WebAssembly build does not export: the lists of awake bodies, from
 *  `tree_asleep`. Every body but the first, the world, is a tree of six degrees of freedom. */
export function updateSleep(data: Data): void {
  const { tree_asleep, tree_awake, body_awake, body_awake_ind, parent_awake_ind, dof_awake_ind } = data;
  body_awake[0] = STATIC;
  body_awake_ind[0] = 0;
  let [bodies, freedoms] = [1, 0];
  for (let tree = 0; tree < tree_asleep.length; tree++) {
    const awake = tree_asleep[tree]! < 0;
    tree_awake[tree] = awake ? 1 : 0;
    body_awake[tree + 1] = awake ? AWAKE : ASLEEP;
    parent_awake_ind[tree] = tree + 1; // the world is everybody's parent
    if (!awake) continue;
    body_awake_ind[bodies++] = tree + 1;
    for (let k = 0; k < 6; k++) dof_awake_ind[freedoms++] = 6 * tree + k;
  }
  data.ntree_awake = bodies - 1;
  data.nbody_awake = bodies;
  data.nparent_awake = tree_asleep.length;
  data.nv_awake = freedoms;
}
