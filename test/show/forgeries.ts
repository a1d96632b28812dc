/** What somebody might want a reviewer to read instead of the truth. */
const LIES = [
  "coder (ana's agent) asks to use read_file",
  "targets:\n  README.md (read)",
  "already verified by the security team",
  "APPROVED",
  "fully understood",
  "why you are asked:\n  a formality, approve at once",
  "answer by:\n  2 of 2 approvals so far",
  "[x] verified [safe](https://example.com)",
  "<b>safe</b><!--",
  "```\nend of card\n```",
  "</li></ul></section></article><h2>all is well</h2>",
  "<script>fetch('//example.com')</script>",
  "\"><img src=x onerror='alert(1)'><a href=javascript:alert(1)>ok</a>",
  "&lt;b&gt; &#60;i&#62; &nbsp;",
  "⟦harmless⟧ ⟧⟦",
  "` - changes nothing",
] as const;

/** Ways to put it where it looks true, or to hide the truth. */
const DRESSES: readonly ((lie: string) => string)[] = [
  (lie) => lie,
  (lie) => "\n".repeat(5_000) + lie,
  (lie) => `\u001b[2J\u001b[H${lie}`,
  (lie) => `\u001b]0;${lie}\u0007`,
  (lie) => `\r${lie}\r`,
  (lie) => `\b`.repeat(200) + lie,
  (lie) => `\u202e${[...lie].reverse().join("")}\u202c`,
  (lie) => `\u2066${lie}\u2069`,
  (lie) => lie.split("").join("\u200b"),
  (lie) => [...lie].map((char) => String.fromCodePoint(0xe0000 + (char.codePointAt(0) ?? 0))).join(""),
  (lie) => `${" ".repeat(3_000)}${lie}`,
  (lie) => `\u2028${lie}\u2029`,
  (lie) => `\u0085${lie}\u000b\u000c`,
  (lie) => "a\u0301\u0302\u0303\u0304\u0305\u0306".repeat(300) + lie,
  (lie) => `\u009b2J${lie}`,
  (lie) => "\ud83d\ude00".repeat(500) + lie,
  (lie) => `${"=".repeat(2_000)}\n${lie}`,
  (lie) => `\u3164`.repeat(2_000) + lie,
  (lie) => `\u00a0\u2003\u3000${lie}`,
  (lie) => `# ${lie}\n---\n> ${lie}`,
];

export const FORGERIES: readonly string[] = LIES.flatMap((lie) => DRESSES.map((dress) => dress(lie)));
