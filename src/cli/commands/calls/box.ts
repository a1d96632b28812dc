import { usage } from "../../failure.ts";
import { type CommandSpec, flag, text, textList } from "../../spec.ts";

export const box: CommandSpec = {
  name: "box",
  summary: "run a command in a box: it can change only what you say. Nothing is decided, and nothing is recorded",
  args: [["[command...]", "the program and its arguments, after --"]],
  options: [
    ["--write <path...>", "what the command can change (default: the project)"],
    ["--network <domain...>", "domains that it can reach (default: none)"],
    ["--read-only", "the command can change nothing"],
    ["--rehearse", "the command changes a copy of the project; you see which files, and say whether to apply them"],
    ["--call <id>", "run this call of an agent in the box that was decided; hooks make agent programs use it"],
    ["--settings <file>", "with --call: the variables and the folder of the hook"],
    ["--keep", "with --call: keep the program in the background; `leeway run --background` uses it"],
    ["--tell-folder", "with --call: write the folder in which the command ended to descriptor 3"],
  ],
  examples: [
    "leeway box -- npm test",
    "leeway box --network registry.npmjs.org -- npm ci",
    "leeway box --rehearse -- ./migrate.sh",
  ],
  exits: [0, 1, 2, 3, 5],
  endsWith: "If the command ran, its own exit code is returned. If the box cannot be made, nothing runs, and it is 5.",
  act: async (given) => {
    const call = text(given, "call");
    const byHand = ["write", "network"].some((name) => textList(given, name).length > 0);
    if (call === undefined) {
      if (given.args.length === 0) throw usage("no command is given", "for example leeway box -- npm test");
      return (await import("../../box-by-hand.ts")).boxByHand(given);
    }
    if (given.args.length > 0 || byHand || flag(given, "readOnly") || flag(given, "rehearse"))
      throw usage("--call takes no command and no walls", "the call has its own");
    return (await import("../../boxed-call.ts")).boxedCall(given, call);
  },
};
