import type { Random } from "../model/random.ts";
import { mutated } from "./mutate.ts";
import { scriptsFrom } from "./scripts.ts";

/** Random texts: bytes, letters of every script, pieces of bash without an order, broken scripts. */
export function inputsFrom(c: Random, count: number): readonly string[] {
  const scripts = scriptsFrom(c.int(1_000_000), Math.min(2_000, count));
  const broken = () => {
    let text = c.pick(scripts);
    for (let left = c.int(6); left > 0; left--) text = mutated(text, c, scripts);
    return text;
  };
  const makers = [
    broken,
    broken,
    () => c.upTo(60, () => String.fromCharCode(c.int(256))).join(""),
    () => c.upTo(40, () => String.fromCharCode(32 + c.int(95))).join(""),
    () => c.upTo(20, () => String.fromCodePoint(c.chance(0.5) ? c.int(0x3000) : 0x1f300 + c.int(0x400))).join(""),
    () => c.upTo(30, () => c.pick(SIGNS)).join(""),
    () => c.upTo(15, () => c.pick(SIGNS)).join(" "),
    () => c.pick(SIGNS).repeat(1 + c.int(60)) + c.pick(scripts).slice(0, c.int(30)),
  ];
  return Array.from({ length: count }, () => c.pick(makers)());
}

const SIGNS = (
  "$( $(( )) ) } ` \" ' $' $\" \\ && || ; ;; & | < > << <<< >> <( >( { ( [[ ]] [ ] ! # * ? ~ = if then else fi " +
  "for in do done while case esac function select time coproc a b -x 1 echo ls rm cat $X"
)
  .split(" ")
  .concat(["$", "{"].join(""), ["\n", "\t", " ", "\\\n"]);

const filled = (piece: string, letters = 16_000) => piece.repeat(Math.floor(letters / piece.length));

/** Each is more than anybody writes by hand. */
export const LARGE: Readonly<Record<string, string>> = {
  "many commands": filled("ls;"),
  "many deletions": filled("rm x;"),
  "a long pipeline": `${filled("a|")}a`,
  "deep substitutions": `${"$(".repeat(4_000)}a${")".repeat(4_000)}`,
  "open substitutions": "$(".repeat(4_000),
  "open parentheses": "(".repeat(16_000),
  "open braces": "{".repeat(16_000),
  "open quotes": filled('"$('),
  "open expansions": filled(["$", "{a:-"].join("")),
  "deep loops": `${"for a in 1 2 3 4 5 6 7 8; do ".repeat(40)}rm $a;${" done;".repeat(40)}`,
  "loops of loops": `${"for a in 1 2 3 4 5 6 7 8; do ".repeat(5)}rm $a; cat $a;${" done;".repeat(5)}`,
  "deep conditions": `${"if a; then ".repeat(600)}b;${" fi;".repeat(600)}`,
  "deep tests": `[[ ${"( ".repeat(8_000)}`,
  "many substitutions": filled("$(a) "),
  "many here-documents": filled("cat <<E\na\nE\n"),
  "an open quote behind much": `${filled("a ")}'`,
  "texts within texts": filled("eval "),
  "invisible letters": filled("\u200b"),
  "a megabyte": "a ".repeat(100_000),
};
