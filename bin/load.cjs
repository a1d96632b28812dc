// Loads the program that `npm run build` has made. It is CommonJS, because then it is loaded synchronously and V8's compiled
// form can be stored. tools/compile.mjs makes this form on the machine on which it is used, and puts it into the program's own
// folder, under the version of V8 and the kind of machine. It is only used for speed: if it is missing, or if anything about it is
// doubtful, the same text is compiled again. Nothing is written here.
const { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { Script } = require("node:vm");

/** The folder of the compiled form for this Node, if it was made with the same version of V8. */
const compiledFolder = (folder) => join(folder, `compiled-${process.versions.v8}-${process.arch}`);

/** Returns what `main.cjs` in the folder exports. `seen` is called with each loaded file and its script; the build uses it. */
function loadProgram(folder, seen = () => undefined) {
  const compiled = compiledFolder(folder);
  const isUsed = isOwnFolder(compiled);
  const requireOther = createRequire(join(folder, "main.cjs"));
  const modules = new Map();
  const load = (name) => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const filename = join(folder, name);
    const cachedData = isUsed ? compiledIn(join(compiled, name)) : undefined;
    const script = new Script(readFileSync(filename, "utf8"), { filename, cachedData });
    seen(name, script);
    const requireFrom = (id) => (id.startsWith("./") ? load(id.slice(2)) : requireOther(id));
    script.runInThisContext()(module.exports, requireFrom, module, filename, folder);
    return module.exports;
  };
  return load("main.cjs");
}

const HASH_BYTES = 32;

/** A compiled form as it is stored. V8 compares versions and lengths, but trusts every byte: with a damaged one it crashes. */
function withHash(data) {
  return Buffer.concat([hashOf(data), data]);
}

function compiledIn(path) {
  const bytes = ownFile(path);
  if (bytes === undefined || bytes.length <= HASH_BYTES) return undefined;
  const data = bytes.subarray(HASH_BYTES);
  return hashOf(data).equals(bytes.subarray(0, HASH_BYTES)) ? data : undefined;
}

function hashOf(data) {
  return require("node:crypto").createHash("sha256").update(data).digest();
}

function ownFile(path) {
  let file;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const stat = fstatSync(file);
    return stat.isFile() && isOwn(stat) ? readFileSync(file) : undefined;
  } catch {
    // It is compiled from the text, which says what is wrong if that cannot be read either.
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function isOwnFolder(folder) {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && isOwn(stat);
}

/**
 * Compiled code runs in place of the text that people can read. So nobody may have been able to write it but this user, and the
 * administrator, who can change everything. Where a system cannot say who owns a file, none is used.
 */
function isOwn({ uid, mode }) {
  const own = process.getuid?.();
  return own !== undefined && (uid === own || uid === 0) && (mode & 0o022) === 0;
}

module.exports = { compiledFolder, loadProgram, withHash };
