// Arguments with which an attacker would try to slow down the gate, for tools other than a shell: many names, long texts.

const SIZES = [16_000, 200_000, 1_000_000];

const TOOLS =
  "Read Write Edit Glob Grep WebFetch apply_patch http_request execute_sql Bash shell exec Task toString delete_file mcp__filesystem__read_multiple_files mcp__filesystem__move_file mcp__postgres__query mcp__fetch__fetch mcp__sheets__append".split(
    " ",
  );
const KEYS =
  "file_path paths url urls command sql pattern patch glob content prompt headers env args cwd edits code data".split(
    " ",
  );
const PIECES = [
  "a",
  "a/",
  "../",
  "{a,b}",
  "**/",
  "[a",
  "a,",
  "http://a.b ",
  "://",
  "%2e",
  "select 1;",
  "'",
  "/*",
  "a(",
  "*** Update File: a\n",
  "diff --git a/x b/y\n",
  " ",
  "\\",
  "é",
  ".env/",
  "~/",
  "xn--a.",
  "a|",
];

const filled = (piece, letters) => piece.repeat(Math.floor(letters / piece.length));
const many = (letters, make) => Array.from({ length: Math.floor(letters / 12) }, (_, i) => make(i));
const keyed = (letters, name) => Object.fromEntries(many(letters, (i) => [name(i), "v"]));

/** Every tool with every argument and every kind of value; of texts only every n-th. Yielded one by one, because they are large. */
export function* largeCalls({ every = 23 } = {}) {
  let at = 0;
  for (const letters of SIZES)
    for (const tool of TOOLS) {
      yield [`${tool} with many arguments, ${letters}`, { tool, args: keyed(letters, (i) => `k${i}`) }];
      yield [`${tool} with many paths, ${letters}`, { tool, args: keyed(letters, (i) => `k${i}path`) }];
      yield [`${tool} with a long name, ${letters}`, { tool, args: { [filled("_K", letters)]: "v" } }];
      for (const key of KEYS) {
        yield [`${tool} ${key}: a list, ${letters}`, { tool, args: { [key]: many(letters, (i) => `a${i}`) } }];
        yield [`${tool} ${key}: names, ${letters}`, { tool, args: { [key]: keyed(letters, (i) => `k${i}`) } }];
        for (const piece of PIECES)
          if (at++ % every === 0)
            yield [
              `${tool} ${key}: ${JSON.stringify(piece)}, ${letters}`,
              { tool, args: { [key]: filled(piece, letters) } },
            ];
      }
    }
}
