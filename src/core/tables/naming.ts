import { patternOf } from "./facts.ts";
// Files whose text names further files, which a program that reads them then shows or rewrites: data only.

/** The kind of text. */
export const NAMING = ["xml", "sourced", "modules", "cgo", "hcl", "thin", "template", "cited", "composed"] as const;
export type Naming = (typeof NAMING)[number];

export type NamingRow = {
  by: Naming;
  /** For a folder: the files in it that count. */
  files: RegExp;
  /** Folders below count too, except these. */
  deep?: RegExp;
  /** The program traverses the topmost folder of the project that contains this file. */
  top?: string;
  /** The program also searches in the folders above, up to the project's. */
  above?: true;
  /** A file is checked together with its folder. */
  around?: true;
  /** Only the beginning of a file is examined. */
  head?: true;
  /** What names another file. If the pattern captures the name, a plain one inside the project is harmless. */
  names: RegExp;
};

// biome-ignore format: one line each
export const NAMING_ROWS: readonly NamingRow[] = [
  // Another encoding, or something before the first tag, would hide from the pattern what it searches for.
  {
    by: "xml", files: /\.(xml|xsd|rng|sch|svg|xhtml|plist)$/i,
    names: patternOf(
      String.raw`^(?!\ufeff?\s*<)|\0|<!DOCTYPE(?!\s+html\s*>)|<!ENTITY|<(?:[\w.-]+:)?(?:include|import|redefine|override
      |externalRef|extends)\b|<\?xml[^>]*encoding\s*=\s*["'](?!(?:utf-8|us-ascii|ascii|iso-8859-\d+
      |windows-125\d)["'])`,
      "gi",
    ),
  },
  {
    by: "sourced", files: /^[^.]+$|\.(sh|bash|ksh|dash|bats)$/, deep: /^(node_modules|\.git)$/,
    names: /#[ \t]*shellcheck\b[^\n]*?\bsource(?:-path)?=(\S+)|(?:^|[\s;&|({!`])(?:\.|source)[ \t]+(?:--[ \t]+)?(\S+)/gm,
  },
  {
    by: "modules", files: /\.rs$|^Cargo\.toml$/, deep: /^(target|node_modules|\.git)$/, around: true,
    top: "Cargo.toml",
    names: patternOf(
      String.raw`#!?\s*\[(?:\s|\/\*[^*]{0,80}\*\/){0,8}path\b(?:\s|\/\*[^*]{0,80}\*\/){0,8}=\s*(?:"([^"\\\n]*)")?
      |cfg_attr[\s\S]{0,1000}?\bpath(?:\s|\/\*[^*]{0,80}\*\/){0,8}=(?!=)(?:\s|\/\*[^*]{0,80}\*\/){0,8}(?:r#*)?"
      |\bmod\s+(?:target|node_modules)\s*;|^[ \t]*path[ \t]*=[ \t]*"([^"\\\n]*)"`,
      "gm",
    ),
  },
  // The C compiler shows lines that it cannot parse of any file that the code includes.
  { by: "cgo", files: /\.go$/, deep: /^(node_modules|\.git)$/, top: "go.mod", names: /(?:^|[\s(;.]|\*\/)["`]C["`](?=\s*(?:$|[;)\n]|\/[/*]))/gm },
  {
    by: "hcl", files: /\.(tf|tofu)(\.json)?$|\.(tf|tofu)test\.(hcl|json)$/,
    names: patternOf(
      String.raw`\b(?:templatefile|file(?:set|exists|base64|md5|sha1|sha256|sha512|base64sha256|base64sha512)?)\s*\(|\\u
      |\bmodule\s*"`,
      "g",
    ),
  },
  { by: "thin", files: /./, head: true, names: /^!<thin>/g },
  { by: "template", files: /./, names: /\(\s*\)/g },
  // Compose loads what an `include` or an `extends` names, also from other machines, and puts variables and secrets of `.env` into the
  // addresses. Files of other folders are not followed.
  {
    by: "composed", files: /^[^.].*\.ya?ml$|^\.env$/i, above: true,
    names: patternOf(
      String.raw`(?<![\w.-])include["']?\s*:(?:[^\n]|\n(?=[\s#-])){0,4000}?(?::\/\/|oci:|git@|\.com|[$\\&*![{]|[^.\n]\/|\.\.\/)
      |(?<![\w.-])include["']?\s*:(?:[^\n]|\n(?=[\s#-])){4000}
      |(?:^|[\s{,])["']?file["']?\s*:\s*["']?(?:[\w+.-]*:\/\/|oci:|git@|github\.com|[^\n#]*\$)|\\[uUx][\da-f]{2}|^\s*\?\s
      |^\s*(?:export\s+)?COMPOSE_FILE\s*=.*(?::\/\/|oci:|git@|\.com|\$|\/)`,
      "gim",
    ),
  },
  { by: "cited", files: /./, names: /csl|citation-style|bibliography|citation-abbreviations|\\[xuU]/gi },
];
