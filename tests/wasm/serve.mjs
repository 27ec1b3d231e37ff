// Kernels in Node for the tests: web/src/host/kernels.ts over stdin and stdout, one game's module a process.
// A request is: length of the rest, kind, three numbers (32 bits each), the name or content; an answer is its length and its bytes.
import { readFileSync, readSync, writeSync } from "node:fs";
import { createRequire } from "node:module";

const [kernels, file] = process.argv.slice(2);
const typescript = createRequire(kernels)("typescript");
const options = { module: typescript.ModuleKind.ESNext, target: typescript.ScriptTarget.ESNext };
const script = typescript.transpile(readFileSync(kernels, "utf8"), options);
const { openKernels } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
const open = openKernels(new WebAssembly.Module(readFileSync(file)));

function read(size) {
  const content = Buffer.alloc(size);
  let have = 0;
  while (have < size) {
    const more = readSync(0, content, have, size - have, null);
    if (more === 0) process.exit(0);
    have += more;
  }
  return content;
}

function answer(content) {
  const whole = Buffer.concat([Buffer.alloc(4), content]);
  whole.writeUInt32LE(content.length);
  for (let sent = 0; sent < whole.length; ) sent += writeSync(1, whole, sent);
}

function number(value) {
  const content = Buffer.alloc(4);
  content.writeUInt32LE(value);
  return content;
}

const kinds = {
  about: () => Buffer.from(open.about),
  call: (first, second, content) => {
    const name = content.subarray(0, first).toString();
    return open.call(name, content.subarray(first), second);
  },
  room: (first) => number(open.room(first)),
  write: (first, _second, content) => {
    open.write(first, content);
    return Buffer.alloc(0);
  },
  release: (first) => {
    open.release(first);
    return Buffer.alloc(0);
  },
  memory: () => number(open.memory()),
};

for (;;) {
  const size = read(4).readUInt32LE();
  const request = read(size);
  const kind = Object.keys(kinds)[request.readUInt32LE(0)];
  answer(kinds[kind](request.readUInt32LE(4), request.readUInt32LE(8), request.subarray(12)));
}
