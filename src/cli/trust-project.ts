import { projectCover } from "../core/decide/suggest/suggest.ts";
import { EN } from "../core/say/en.ts";
import { type Grant, TRUST_MS_DEFAULT } from "../core/standing/grant.ts";
import { addGrant } from "../gate/standing/grants.ts";
import { Failure, orFail, shown } from "./failure.ts";
import type { OpenedGate } from "./gate/database.ts";
import { projectFolder, whyNoBox } from "./gate/local-boxes.ts";
import { type CommandInput, flag } from "./spec.ts";
import { hasPerson } from "./terminal/io.ts";
import { askYesNo } from "./terminal/prompt.ts";
import { wrap } from "./terminal/table.ts";

// Where no box can be made, `leeway init` asks once about the project's code, so that not every test run asks.

const WITHOUT_BOX =
  "Without a box, a person is asked each time before tests, builds, scripts or installed packages of this project run, or code that agents write into it.";

/** The grant, if a person wants it. Where boxes can be made, nothing is offered: they are the better answer. */
export async function trustIfWanted(given: CommandInput, deps: OpenedGate, by: string): Promise<Grant | undefined> {
  const isWanted = flag(given, "trustProject");
  const mayAsk = hasPerson(given.io) && !flag(given, "yes");
  if (!isWanted && !mayAsk) return undefined;
  const none = await whyNoBox(deps, given.io.env);
  if (none === undefined) {
    if (isWanted) given.out.note("boxes can be made here, so the project's code is not trusted without one");
    return undefined;
  }
  const covers = projectCover(projectFolder(deps));
  const { width } = given.out;
  given.out.note(wrap(`No box can be made here: ${shown(none.why)} (${none.hint}). ${EN.cover.boxIsBetter}`, width));
  const trusted = `Trusted for 7 days: ${EN.cover.projectCode(covers.projectCode ?? "", false)}`;
  given.out.note(wrap(isWanted ? trusted : WITHOUT_BOX, width));
  if (!isWanted && !(await asked(given))) return undefined;
  const untilMs = deps.clock.nowMs() + TRUST_MS_DEFAULT;
  const because = "no box can be made on this machine";
  return orFail(await addGrant(deps, { subject: {}, covers, because, by, untilMs, assurance: "tty" })).value;
}

async function asked({ io }: CommandInput): Promise<boolean> {
  try {
    return await askYesNo(io, "let agents run this project's code for 7 days without a question?", false);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.exit, error.message, "everything else is set up; the project's code is not trusted");
  }
}
