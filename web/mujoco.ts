// A Vite plugin for MuJoCo's WebAssembly build (npm's @mujoco/mujoco), which the page's physics worker loads.
// Its script makes functions from texts, which our content security policy forbids: here it is given closures instead.
// The module itself is kept compressed, as the server sends it; a static site, which has no live turns, does without.
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const SCRIPT = /\/@mujoco\/mujoco\/mujoco\.js$/;
const MODULE = /mujoco[^/]*\.wasm$/;

/** What stands in MuJoCo's script (Emscripten's embind), and what does the same without making code from text. */
const WITHOUT_TEXTS: readonly (readonly [found: string, instead: string])[] = [
  [
    "let [args, invokerFnBody] = createJsInvoker(argTypes, isClassMethodFunc, returns, isAsync);",
    "var wiredTypes = argTypes.slice(isClassMethodFunc ? 1 : 2);",
  ],
  [
    "var invokerFn = new Function(...args, invokerFnBody)(...closureArgs);",
    `var invokerFn = function (...given) {
      checkArgCount(given.length, minArgs, expectedArgCount, humanName, throwBindingError);
      var destructors = needsDestructorStack ? [] : null;
      var all = isClassMethodFunc ? [this, ...given] : given;
      var wired = wiredTypes.map((type, k) => type.toWireType(destructors, all[k]));
      var result = cppInvokerFunc(cppTargetFunc, ...wired);
      if (needsDestructorStack) runDestructors(destructors);
      else wiredTypes.forEach((type, k) => type.destructorFunction !== null && type.destructorFunction(wired[k]));
      return returns ? argTypes[0].fromWireType(result) : undefined;
    };`,
  ],
  [
    "var invokerFunction = new Function(...params, functionBody)(...args);",
    `var invokerFunction = function (obj, func, destructorsRef, packed) {
      var at = 0;
      var read = types.slice(0, argCount).map((type) => {
        var value = type.readValueFromPointer(packed + at);
        at += type.argPackAdvance;
        return value;
      });
      var result = kind === 1 ? new func(...read) : kind === 0 ? func.call(obj, ...read) : func.call(...read);
      return retType.isVoid ? undefined : emval_returnValue(retType, destructorsRef, result);
    };`,
  ],
];

/** MuJoCo's script without code from texts; an error if it is not the one that we know. */
export function withoutTexts(script: string): string {
  let changed = script;
  for (const [found, instead] of WITHOUT_TEXTS) {
    if (changed.split(found).length !== 2) throw new Error(`MuJoCo's script has changed: ${found}`);
    changed = changed.replace(found, () => instead);
  }
  if (/new Function|\beval\(/.test(changed))
    throw new Error("MuJoCo's script makes code from texts in another place, too");
  return changed;
}

export function mujoco(packed: boolean): Plugin {
  return {
    name: "mujoco",
    transform(code, id) {
      return SCRIPT.test(id.replaceAll("\\", "/")) ? { code: withoutTexts(code), map: null } : null;
    },
    generateBundle(_options, bundle) {
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type !== "asset" || !MODULE.test(name)) continue;
        delete bundle[name];
        const source = gzipSync(part.source, { level: 9 });
        if (packed) this.emitFile({ type: "asset", fileName: `${name}.gz`, source });
      }
    },
  };
}
