// Loads a game's WebAssembly module and gives its memory: the other side of `Bridge` in kernels/wasm_target.py.
// Python lays out the blocks' content; the modules are built by tools/wasm.

/** The custom section that says what a module has, as JSON. */
const SECTION = "ludotheque";

/** A loaded module. Names are those that Python uses. */
export interface OpenKernels {
  readonly about: string;
  /** Calls a function with a block of memory; answers the first `returned` bytes of the block afterwards. */
  call(name: string, block: Uint8Array, returned: number): Uint8Array;
  /** The address of so many bytes, all zero. */
  room(nbytes: number): number;
  write(address: number, content: Uint8Array): void;
  release(address: number): void;
  /** How many bytes of memory the module has taken. */
  memory(): number;
}

type Exports = Record<string, (...numbers: number[]) => number>;

/** Opens a compiled module; an error names what is wrong with one that was not built by us. */
export function openKernels(module: WebAssembly.Module): OpenKernels {
  const section = WebAssembly.Module.customSections(module, SECTION)[0];
  if (section === undefined) {
    throw new Error("this is no module of kernels: it does not say what it has");
  }
  const imports = WebAssembly.Module.imports(module);
  if (imports.length > 0) {
    throw new Error(`the kernels import ${imports.map((one) => one.name).join(", ")}`);
  }
  const exports = new WebAssembly.Instance(module).exports;
  const memory = exports.memory as WebAssembly.Memory;
  const functions = exports as unknown as Exports;

  function taken(address: number | undefined, nbytes: number): number {
    if (!address) {
      throw new RangeError(`the kernels have no memory left for ${nbytes} bytes`);
    }
    return address >>> 0;
  }

  return {
    about: new TextDecoder().decode(section),
    call(name, block, returned) {
      const address = taken(functions.allocate?.(block.length), block.length);
      try {
        new Uint8Array(memory.buffer).set(block, address);
        functions[name]?.(address);
        return new Uint8Array(memory.buffer).slice(address, address + returned);
      } finally {
        functions.release?.(address);
      }
    },
    room: (nbytes) => taken(functions.allocate_zeros?.(nbytes), nbytes),
    write: (address, content) => new Uint8Array(memory.buffer).set(content, address),
    release: (address) => {
      functions.release?.(address);
    },
    memory: () => memory.buffer.byteLength,
  };
}

/** As much of Pyodide as is needed here. */
interface Python {
  pyimport(module: string): { use_opened(game: unknown, kernels: OpenKernels): void };
}

/** Gives a game in Pyodide (a proxy of its `DiscreteGame`) its rules and kernels: the content of GAME.wasm. */
export async function useKernels(python: Python, game: unknown, content: ArrayBuffer): Promise<void> {
  const kernels = openKernels(await WebAssembly.compile(content));
  python.pyimport("ludotheque.kernels.wasm_target").use_opened(game, kernels);
}
