import type { Channel } from "../ports.ts";
import type { ChannelTools } from "./tools.ts";

/** A line in the terminal of the server for everything that people are told. */
export function terminalChannel({ write }: Pick<ChannelTools, "write">): Channel {
  return {
    name: "terminal",
    deliver: async ({ title, text, question, link }) => {
      const lines = question === undefined ? [title, text] : [title, question.card.lead, question.card.sentence];
      write([...lines, ...(link === undefined ? [] : [link])].filter((line) => line !== "").join("\n  "));
    },
    try: async () => undefined,
  };
}
