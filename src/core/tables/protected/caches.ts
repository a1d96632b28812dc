// Folders in which tools keep what they can make again.

/** These have code that was made from sources: whoever runs the sources later runs it instead of them. */
const CODE_CACHE = /(^|\/)(node_modules\/\.(cache|vite|vite-temp|vitest)|__pycache__)(\/|$)/;

const PACKAGE_CACHE = /\/node_modules\/\.(cache|vite|vite-temp|vitest)(\/|$)/;

const CACHE =
  /^(?<folder>(.*\/)?(node_modules\/\.(cache|vite|vite-temp|vitest)|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache))(\/|$)/;

export function isCodeCache(path: string): boolean {
  return CODE_CACHE.test(path);
}

/** A cache in a folder of packages, which is protected. */
export function isPackageCache(path: string): boolean {
  return PACKAGE_CACHE.test(path);
}

/** The cache that a path is in. */
export function cacheOf(path: string): string | undefined {
  return CACHE.exec(path)?.groups?.["folder"];
}

const REMADE = /^\/(?:[^./][^/]*\/)*(?:node_modules|\.cache|\.next|\.nuxt|\.turbo|\.parcel-cache|\.?venv)(?=\/|$)/;

/**
 * The folder of a path that tools make again from what the project lists. Whoever writes there changes what runs; whoever removes it
 * takes nothing away.
 */
export function remadeFolder(path: string, project: string): string | undefined {
  if (!path.startsWith(`${project}/`)) return undefined;
  const [folder] = REMADE.exec(path.slice(project.length)) ?? [];
  return folder === undefined ? undefined : project + folder;
}

const DERIVED_FOLDER =
  /(^|\/)(node_modules|build|dist|out|target|coverage|htmlcov|\.coverage|\.next|\.nuxt|\.turbo|\.cache|\.gradle|\.tox|\.nox|[^/]+\.egg-info|\.terraform)\//;
const DERIVED_FILE = /\.(pyc|pyo|o|obj|class|log|tmp|tsbuildinfo)$/;

/** Whether the name says that a file was made by a tool, so that it is nobody's work. For files that git does not know. */
export function isDerived(path: string): boolean {
  return DERIVED_FOLDER.test(path) || DERIVED_FILE.test(path) || cacheOf(path) !== undefined;
}
