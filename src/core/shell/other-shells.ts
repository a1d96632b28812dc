import { say } from "../messages/message.ts";
import { UNREAD } from "../tables/unread.ts";
import { plain, type Script, type Simple, TEXT_MAX } from "./script.ts";

/**
 * A text for PowerShell, cmd or a shell nobody names. It is cut wherever any of them might start a command, and never
 * understood: rules that refuse see every piece, and the call asks.
 */
export function readForeign(text: string): Script {
  const long = text.length > TEXT_MAX;
  const pieces = long ? [] : text.split(/[;&|\n\r(){}`]|\$\(/);
  const simples = pieces.flatMap((piece): Simple[] => {
    const words = piece
      .replace(/["'^]/g, "")
      .split(/\s+/)
      .filter((word) => word !== "");
    return words.length === 0 ? [] : [{ words: words.map(plain), sets: [], redirects: [], folders: undefined }];
  });
  return {
    simples,
    sets: [],
    shadowed: new Set(),
    digits: new Set(),
    doubts: [long ? UNREAD.long : say("note.shell_grammar_not_examined")],
    readable: !long,
  };
}
