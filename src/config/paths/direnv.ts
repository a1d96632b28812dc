// `.envrc` is read by direnv when a shell enters the folder. A person has allowed this one file, but its words also load others, and
// put folders in front of all programs of the shell: whoever changes these decides what the person's shell starts.

/** What lines of `.envrc` name: files that are loaded, and folders whose programs stand for all others. */
export type NamedByDirenv = { files: readonly string[]; folders: readonly string[] };

/** Programs of packages are made and replaced by everyday installing. */
const OF_PACKAGES = /(^|\/)node_modules(\/|$)/;

/** Files that are evaluated for `use NAME`. */
const USED: { readonly [name: string]: readonly string[] } = {
  flake: ["flake.nix", "flake.lock"],
  nix: ["shell.nix", "default.nix"],
  devenv: ["devenv.nix", "devenv.yaml", "devenv.lock"],
  flox: [".flox/env/manifest.toml"],
  guix: ["guix.scm", "manifest.scm"],
  asdf: [".tool-versions"],
  mise: [".tool-versions"],
};

export function namedByDirenv(text: string): NamedByDirenv {
  const files: string[] = [];
  const folders: string[] = [];
  for (const line of text.split("\n")) {
    const [verb = "", ...rest] = line.trim().replace(/['"]/g, "").split(/\s+/);
    const first = rest.find((word) => !word.startsWith("-")) ?? "";
    if (verb === "use") files.push(...(USED[first] ?? []));
    if (/^dotenv(_if_exists)?$/.test(verb)) files.push(first || ".env");
    if (/^(PATH_add|load_prefix)$/.test(verb)) folders.push(...rest);
    if (verb === "path_add" && first === "PATH") folders.push(...rest.slice(1));
    folders.push(...(/^(?:export\s+)?PATH=(.*)$/.exec(line.trim())?.[1] ?? "").split(/[:"']/));
  }
  return {
    files: files.map(here).filter(isPlain),
    folders: folders.map(here).filter((one) => isPlain(one) && !OF_PACKAGES.test(one)),
  };
}

function here(word: string): string {
  return word.replace(/^(\$PWD|\$\(pwd\)|\$\{PWD\})\//, "./").replace(/\/+$/, "");
}

function isPlain(word: string): boolean {
  return /^[\w.@%+/][\w.@%+~/-]{0,511}$/.test(word) && !/^[./]*$/.test(word);
}
