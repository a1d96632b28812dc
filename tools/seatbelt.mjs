// Not part of the product: no box is made on macOS yet. `box-on-a-mac.mjs` tries this there.

/**
 * The text of a Seatbelt profile for these walls, for `sandbox-exec -p` on macOS. Later rules win. A profile is about paths, so
 * a protected place that does not exist yet is closed too.
 */
export function seatbeltProfile(walls, { hidden, kept, temporary }) {
  const rules = [
    "(version 1)",
    "(allow default)",
    "(deny network*)",
    walls.network === "any" ? "(allow network*)" : '(allow network* (local ip "localhost:*"))',
    "(deny file-write*)",
    ...["/dev/null", "/dev/tty", "/dev/stdout", "/dev/stderr"].map(
      (path) => `(allow file-write* (literal ${quoted(path)}))`,
    ),
    ...[temporary, ...walls.write].map((path) => `(allow file-write* (subpath ${quoted(path)}))`),
    ...kept.map((path) => `(deny file-write* (subpath ${quoted(path)}))`),
    ...walls.write.filter((path) => kept.includes(path)).map((path) => `(allow file-write* (subpath ${quoted(path)}))`),
    ...hidden.map((path) => `(deny file-read* file-write* (subpath ${quoted(path)}))`),
    ...walls.reveal.map((path) => `(allow file-read* (subpath ${quoted(path)}))`),
    "(deny process-info* (target others))",
    "(deny signal (target others))",
    "(allow signal (target children))",
    '(deny mach-lookup (global-name-regex #"^com\\.apple\\.(securityd|SecurityServer|pboard)"))',
  ];
  return `${rules.join("\n")}\n`;
}

/** Anything that could end the text is refused, so that no path can add a rule. */
function quoted(path) {
  if (/[\p{Cc}]/u.test(path))
    throw new Error(`a path with control characters cannot be part of a box: ${JSON.stringify(path)}`);
  return `"${path.replace(/[\\"]/g, "\\$&")}"`;
}
