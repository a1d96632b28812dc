import { patternOf } from "./pattern.ts";
// Files whose text names further files, which a program that reads them then shows or rewrites: data only.

/** What kind of text it is. */
export const NAMING = ["xml", "sourced", "modules", "cgo", "hcl", "thin", "template", "cited"] as const;
export type Naming = (typeof NAMING)[number];

export type NamingRow = {
  by: Naming;
  /** Where a folder is looked at: the files in it that count. */
  files: RegExp;
  /** The folders below count too, but none of these. */
  deep?: RegExp;
  /** The program goes through the topmost folder of the project that holds this file. */
  top?: string;
  /** A file is looked at together with the folder it lies in. */
  around?: true;
  /** Only the beginning says what it is. */
  head?: true;
  /** What names another file. Where the pattern catches the name, a plain one that stays in the project is harmless. */
  names: RegExp;
};

// biome-ignore format: one line each
export const NAMING_ROWS: readonly NamingRow[] = [
  // Another encoding, or something in front of the first tag, would hide from the pattern what it looks for.
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
  // The compiler for C shows the lines that it cannot read of whatever file the code includes.
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
  { by: "cited", files: /./, names: /csl|citation-style|bibliography|citation-abbreviations|\\[xuU]/gi },
];
