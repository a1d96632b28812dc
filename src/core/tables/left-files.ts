/** A file that an option makes a program write under a name that is not in the command: data only. */
export type LeftFile = {
  /** Programs with their subcommands, in the spelling of the parser. */
  run: RegExp;
  /** The option's first spelling. */
  option: string;
  /** The path of the file. A `*` in it stands for the last name of the value of `named`. */
  file: string;
  named?: string;
  /** Options that change where the file is written. */
  unless?: readonly string[];
};

// biome-ignore format: one line each
export const LEFT_FILES: readonly LeftFile[] = [
  { run: /^(kubectl|oc|k)( |$)/, option: "--profile", file: "profile.pprof" },
  { run: /^(zstd|zstdmt|pzstd)$/, option: "--train", file: "dictionary", unless: ["-o"] },
  { run: /^(zstd|zstdmt|pzstd)$/, option: "--train-cover", file: "dictionary", unless: ["-o"] },
  { run: /^(zstd|zstdmt|pzstd)$/, option: "--train-fastcover", file: "dictionary", unless: ["-o"] },
  { run: /^(zstd|zstdmt|pzstd)$/, option: "--train-legacy", file: "dictionary", unless: ["-o"] },
  { run: /^file$/, option: "-C", file: "*.mgc", named: "-m" },
  { run: /^lspci$/, option: "-q", file: "~/.pciids-cache" },
];
