// Loads the program that `npm run build` has made. It is CommonJS, because then it is loaded synchronously and V8's compiled
// form can be stored. The build makes this form and puts it into the program's own folder, under the version of V8 and the kind
// of machine. It is only used for speed: if it is missing, or if V8 rejects it, the same text is compiled again. Nothing is
// written here. Somebody who can change the compiled form can also change the program beside it.
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { Script } = require("node:vm");

/** The folder of the compiled form for this Node, if the program was built with the same version of V8. */
const compiledFolder = (folder) => join(folder, `compiled-${process.versions.v8}-${process.arch}`);

/** Returns what `main.cjs` in the folder exports. `seen` is called with each loaded file and its script; the build uses it. */
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
