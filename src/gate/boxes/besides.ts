import type { StillBoxes } from "../../box-port.ts";
import { type Message, say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Policy } from "../../core/policy.ts";
import { visible } from "../../core/values/text.ts";
import type { Deps } from "../deps.ts";

// Why people are asked about a call besides its own reasons: programs that change files where they are, while it is decided.

/** `files`: only if the call reads or writes files. */
export type Besides = { why: Message; files: boolean };

/** Classes of calls that open files. */
const FILE_CLASSES = [
  ..."fs.read fs.write fs.mkdir fs.copy fs.move fs.delete".split(" "),
  ..."secrets.read permissions.change deploy.write".split(" "),
];

const VERSION_CONTROL = ["git *", "hg *", "svn *", "jj *"];

/** One more layer, which can only make the decision stricter. No grant covers what the words of the call do not say. */
export function besidesLayer({ policies }: Deps, { why, files }: Besides): Policy {
  // A repository names programs that git starts, whatever its command is about.
  const matches = files ? [{ class: FILE_CLASSES }, { command: VERSION_CONTROL }] : [{ tool: "*" }];
  const because = textOf(why, "en");
  const rules = matches.map((match, at) => ({
    name: `programs-beside-${at + 1}`,
    match,
    tier: "ask",
    because,
    firm: true,
  }));
  const loaded = policies.parse(JSON.stringify({ version: 1, rules }), "programs-beside");
  if (!loaded.ok) throw new Error("the layer of programs beside a call does not load (this is a bug)");
  return loaded.policy;
}

const NAMED_MAX = 5;
const PATH_MAX = 200;

/** Undefined if everything stands still and was looked through, and nothing was found. */
export function doubtAbout({ aside, unsure }: StillBoxes): Message | undefined {
  const paths = aside.slice(0, NAMED_MAX).map((path) => visible(path).slice(-PATH_MAX));
  if (paths.length > 0) return say("hook.put_aside", { paths: paths.join(", ") });
  return unsure === undefined ? undefined : say("hook.not_still", { why: unsure });
}

/** For a door that runs the call itself, but cannot say when files are opened. */
export async function layersBeside(deps: Deps, call: string): Promise<readonly Policy[]> {
  const boxes = await deps.stillness?.hold(call);
  if (boxes === undefined) return [];
  boxes.release();
  const why = doubtAbout(boxes);
  return [
    besidesLayer(deps, why === undefined ? { why: say("hook.files_beside"), files: true } : { why, files: false }),
  ];
}
