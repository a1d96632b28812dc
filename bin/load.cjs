// Loads the program that `npm run build` has made: CommonJS, because it is loaded in one go and V8's compiled form of it
// can be kept. That form is made when the program is built, lies in the program's own folder under the version of V8 and
// the kind of machine that it is for, and is used for nothing but speed: without it, or where V8 does not take it, the
// same text is compiled anew. Nothing is ever written here. Whoever can change it can change the program beside it.
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { Script } = require("node:vm");

/** Where the compiled form for this Node is, if the program was built with one of the same V8. */
const compiledFolder = (folder) => join(folder, `compiled-${process.versions.v8}-${process.arch}`);

/** What `main.cjs` in the folder exports. `seen` is told of each file that is loaded with its script: for building. */
function loadProgram(folder, seen = () => undefined) {
  const compiled = compiledFolder(folder);
  const requireOther = createRequire(join(folder, "main.cjs"));
  const modules = new Map();
  const load = (name) => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const filename = join(folder, name);
    const script = new Script(readFileSync(filename, "utf8"), { filename, cachedData: fileIn(compiled, name) });
    seen(name, script);
    const requireFrom = (id) => (id.startsWith("./") ? load(id.slice(2)) : requireOther(id));
    script.runInThisContext()(module.exports, requireFrom, module, filename, folder);
    return module.exports;
  };
  return load("main.cjs");
}

function fileIn(folder, name) {
  try {
    return readFileSync(join(folder, name));
  } catch {
    return undefined;
  }
}

module.exports = { compiledFolder, loadProgram };
