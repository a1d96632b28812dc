// Programs that run the content of a file, and how their words name it: data only, one line each.

/** Options are separated by spaces, and named as they are written. */
export type ScriptRow = {
  /** Names of programs as `programOf` spells them, separated by spaces. */
  programs: string;
  /** The first operand is a script. */
  script?: true;
  /** Single letters that take no value, alone or combined. */
  letters?: string;
  /** Longer options that take no value. */
  plain?: string;
  /** Options that take a value which is not a file to run. */
  valued?: string;
  /** Options that take a file to run. */
  files?: string;
  /** Options that take the text of the program itself, so that no script follows. */
  code?: string;
  /** Options that take a module, which may be in the working folder. */
  modules?: string;
  /** Options that take the folder to start in. */
  folder?: string;
  /** Words before the script. */
  verbs?: string;
  /** Endings that may be left out of a script's name. */
  endings?: string;
  /** Files that the program looks for by itself. */
  looksFor?: string;
};

// biome-ignore format: one line each
export const SCRIPT_ROWS: readonly ScriptRow[] = [
  {
    programs: "sh bash dash ash ksh zsh fish csh tcsh", script: true, letters: "abefhiklmnprstuvxBCDEHPTd",
    plain: "--login --norc --noprofile --posix --no-rcs --verbose --restricted", valued: "-o +o -O +O",
    files: "--rcfile --init-file", code: "-c",
  },
  { programs: "source .", script: true },
  { programs: "python python2 pypy pypy3", script: true, letters: "bBdEhiIOPqsSuvVxt", valued: "-W -X --check-hash-based-pycs", code: "-c", modules: "-m" },
  {
    programs: "node nodejs", script: true, letters: "hvi",
    plain:
      "--inspect --inspect-brk --enable-source-maps --expose-gc --no-warnings --trace-warnings --watch --check " +
      "--preserve-symlinks --experimental-strip-types",
    valued: "-C --conditions --input-type --stack-trace-limit --title",
    files: "-r --require --import --loader --experimental-loader --env-file", code: "-e --eval -p --print -pe",
    endings: ".js .json .node /package.json /index.js",
  },
  {
    programs: "tsx ts-node", script: true, verbs: "watch", files: "-r --require --import --tsconfig -P --project",
    code: "-e --eval -p --print", endings: ".ts .js /index.ts /index.js",
  },
  {
    programs: "deno", script: true, verbs: "run test bench serve compile check cache",
    plain: "-A --allow-all --allow-read --allow-write --allow-net --allow-env --allow-run -q --quiet --no-check",
    files: "-c --config --import-map",
    code:
      "eval lint fmt info doc types task install add remove outdated upgrade repl jupyter lsp completions coverage " +
      "publish init clean vendor uninstall audit help",
    looksFor: "deno.json deno.jsonc",
  },
  {
    programs: "bun", script: true, verbs: "run test x", files: "-r --preload -c --config",
    code: "-e --eval -p --print", endings: ".js .ts .tsx /index.ts /index.js", looksFor: "package.json bunfig.toml",
  },
  { programs: "perl", script: true, letters: "acdfhlnpsStTuUvwWX", code: "-e -E", valued: "-I" },
  { programs: "ruby irb", script: true, letters: "acdhlnpsSUvwWy", code: "-e", valued: "-I -C", files: "-r" },
  { programs: "php", script: true, letters: "aCehHilmnqsvwz", files: "-f --file -c", code: "-r --run", valued: "-d -S -t" },
  { programs: "lua luajit tclsh expect osascript R Rscript julia ghci scala groovy jshell elvish nu", script: true, files: "-f --file", code: "-e --eval -c" },
  {
    programs: "pwsh powershell", script: true, plain: "-NoProfile -NonInteractive -NoLogo",
    valued: "-ExecutionPolicy", files: "-File -f", code: "-Command -c -EncodedCommand",
  },
  { programs: "java", files: "-jar -cp -classpath --class-path -javaagent" },
  { programs: "awk gawk mawk", files: "-f --file -E --exec -i --include" },
  { programs: "sed ed ex", files: "-f --file" },
  { programs: "vi vim nvim emacs", files: "-u -S -s -l --load --script" },
  { programs: "psql sqlite3 mysql gdb", files: "-f --file -init -x --command --defaults-file --defaults-extra-file" },
  { programs: "make gmake bmake", files: "-f --file --makefile", folder: "-C --directory", looksFor: "GNUmakefile makefile Makefile" },
  { programs: "ninja", files: "-f", folder: "-C", looksFor: "build.ninja" },
  { programs: "just", files: "-f --justfile", folder: "-d --working-directory", looksFor: "justfile Justfile .justfile" },
  { programs: "task", files: "-t --taskfile", folder: "-d --dir", looksFor: "Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml" },
  { programs: "rake", files: "-f --rakefile", looksFor: "Rakefile rakefile Rakefile.rb rakefile.rb" },
  { programs: "ant", files: "-f -file -buildfile", looksFor: "build.xml" },
  { programs: "mvn", files: "-f --file", looksFor: "pom.xml" },
  {
    programs: "gradle", folder: "-p --project-dir", files: "-b --build-file -I --init-script",
    looksFor: "build.gradle build.gradle.kts settings.gradle settings.gradle.kts",
  },
  { programs: "npm pnpm yarn", folder: "-C --prefix --cwd --dir", looksFor: "package.json .npmrc .pnpmfile.cjs .yarnrc .yarnrc.yml" },
  { programs: "cargo", files: "--manifest-path --config", folder: "-C", looksFor: "Cargo.toml build.rs .cargo/config.toml" },
  {
    programs: "docker docker-compose podman podman-compose", files: "-f --file",
    code:
      "logs ps images ls list rm rmi prune inspect run exec kill events stats search top port network volume " +
      "container system",
    looksFor: "compose.yaml compose.yml docker-compose.yml docker-compose.yaml Dockerfile",
  },
];
