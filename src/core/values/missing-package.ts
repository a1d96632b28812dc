/** Node reports a package that is not installed in two ways: from `import`, and from `require` in the bundled program. */
const CODES = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"];

/** Whether loading failed because an optional package is not installed. */
export function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && "code" in error && CODES.includes(String(error.code));
}
