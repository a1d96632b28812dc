import { visible } from "../core/values/text.ts";
import type { Channel } from "../ports.ts";
import type { ChannelTools } from "./tools.ts";

/** Writes every notice as a line to the terminal of the server. */
export function terminalChannel({ write }: Pick<ChannelTools, "write">): Channel {
  return {
    name: "terminal",
    deliver: async ({ title, text, question, link }) => {
      const lines = question === undefined ? [title, text] : [title, question.card.lead, question.card.sentence];
      const shown = [...lines, ...(link === undefined ? [] : [link])].filter((line) => line !== "");
      write(shown.map(visible).join("\n  "));
    },
    try: async () => undefined,
  };
}
