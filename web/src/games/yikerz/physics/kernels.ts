// Our own part of the physics in WebAssembly, compiled from the server's source (games/yikerz/wasm_entries.py):
// its memory by names, and its functions. The loop around them is in `scene`.

/** The custom section that says what a module has, as JSON. */
const SECTION = "ludotheque";

/** Arrays in the order in which they lie there, and their shapes for n pieces. */
type Shapes = readonly (readonly [name: string, shape: readonly (number | "n")[]])[];
interface About {
  sources: string;
  functions: { readonly [name: string]: readonly [readonly string[], readonly string[]] };
  numbers: Shapes;
  whole: Shapes;
}

/** How the hand holds a piece, as the server describes it. */
export interface Spring {
  sample_seconds: number;
  frequency: number;
  turn_frequency: number;
  most_force: number;
  most_torque: number;
}

/** What a module says of itself. */
export function aboutKernels(module: WebAssembly.Module): About {
  const section = WebAssembly.Module.customSections(module, SECTION)[0];
  if (!section) throw new Error("this is no module of kernels: it does not say what it has");
  return JSON.parse(new TextDecoder().decode(section)) as About;
}

/** The memory of a scene of n pieces, and what works on it. Views stay valid: memory is taken at the start only. */
export class PhysicsKernels {
  readonly number: { readonly [name: string]: Float64Array };
  readonly whole: { readonly [name: string]: Int32Array };
  readonly #functions: { [name: string]: (...numbers: number[]) => number };
  readonly #calls: { [name: string]: { at: number; results: DataView; arguments: DataView } } = {};
  readonly #memory: WebAssembly.Memory;

  constructor(module: WebAssembly.Module, pieces: number) {
    const about = aboutKernels(module);
    const exports = new WebAssembly.Instance(module).exports;
    this.#memory = exports["memory"] as WebAssembly.Memory;
    this.#functions = exports as unknown as { [name: string]: (...numbers: number[]) => number };
    const size = (shapes: Shapes): number => shapes.reduce((sum, [, shape]) => sum + product(shape, pieces), 0);
    const [numbers, wholes] = [size(about.numbers), size(about.whole)];
    const [at, wholeAt] = [this.#take(8 * numbers), this.#take(4 * wholes)];
    for (const [name, [parameters, results]] of Object.entries(about.functions)) {
      // A call's block: its status, its results, its parameters; an array is told by its address and its length.
      const head = 8 + 8 * Math.max(1, results.length);
      const items = parameters.reduce((sum, kind) => sum + (kind === "int" || kind === "float" ? 8 : 16), 0);
      this.#calls[name] = {
        at: this.#take(head + items),
        results: new DataView(new ArrayBuffer(0)),
        arguments: new DataView(new ArrayBuffer(0)),
      };
    }
    // What is at work below takes a little memory and gives it back: one page more than it has, so that nothing grows.
    this.#functions["release"]!(this.#take(1 << 17));
    const { buffer } = this.#memory;
    this.number = views(about.numbers, pieces, (offset, count) => new Float64Array(buffer, at + 8 * offset, count));
    this.whole = views(about.whole, pieces, (offset, count) => new Int32Array(buffer, wholeAt + 4 * offset, count));
    for (const [name, [, results]] of Object.entries(about.functions)) {
      const call = this.#calls[name]!;
      call.results = new DataView(buffer, call.at);
      call.arguments = new DataView(buffer, call.at + 8 + 8 * Math.max(1, results.length));
      for (const [k, address, count] of [
        [0, at, numbers],
        [1, wholeAt, wholes],
      ] as const) {
        call.arguments.setUint32(16 * k + 4, address, true);
        call.arguments.setBigInt64(16 * k + 8, BigInt(count), true);
      }
    }
  }
  #take(bytes: number): number {
    const address = this.#functions["allocate_zeros"]!(bytes) >>> 0;
    if (!address) throw new RangeError(`the kernels have no memory left for ${bytes} bytes`);
    return address;
  }
  #call(name: string): number {
    const { at, results } = this.#calls[name]!;
    this.#functions[name]!(at);
    if (results.getBigInt64(0, true) !== 0n) throw new Error(`the kernel ${name} has failed`);
    return Number(results.getBigInt64(8, true));
  }
  /** Between the halves of a step; `share` of the hand's sample has passed. Whether two pieces are close. */
  betweenHalves(share: number, spring: Spring): boolean {
    const { arguments: given } = this.#calls["between_halves"]!;
    given.setFloat64(32, share, true);
    given.setFloat64(40, spring.sample_seconds, true);
    given.setFloat64(48, spring.frequency, true);
    given.setFloat64(56, spring.turn_frequency, true);
    given.setFloat64(64, spring.most_force, true);
    given.setFloat64(72, spring.most_torque, true);
    return this.#call("between_halves") === 1;
  }
  /** Into how many parts the next step is divided. */
  divide = (): number => this.#call("divide");
  /** Whether all velocities can be. */
  get credible(): boolean {
    return this.#call("credible") === 1;
  }
  afterStep(): void {
    this.#call("after_step");
  }
  get sleeping(): boolean {
    return this.#call("sleeping") === 1;
  }
  fieldAnew(wakes: boolean): void {
    this.#calls["field_anew"]!.arguments.setBigInt64(32, wakes ? 1n : 0n, true);
    this.#call("field_anew");
  }
  /** The free pieces that have reached the table. */
  fallen(): number[] {
    return [...this.whole["fallen"]!.subarray(0, this.#call("fallen_pieces"))];
  }
  /** Which part of its hold each piece uses up that lies, touching no other; -1 for others. */
  flatLoads(): Float64Array {
    this.#call("flat_loads");
    return this.number["loads"]!;
  }
}

const product = (shape: readonly (number | "n")[], pieces: number): number =>
  shape.reduce<number>((count, part) => count * (part === "n" ? pieces : part), 1);
function views<View>(
  shapes: Shapes,
  pieces: number,
  view: (offset: number, count: number) => View,
): { [name: string]: View } {
  let offset = 0;
  const found: { [name: string]: View } = {};
  for (const [name, shape] of shapes) {
    const count = product(shape, pieces);
    found[name] = view(offset, count);
    offset += count;
  }
  return found;
}
