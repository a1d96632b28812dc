import { inEnglish, textOf } from "../../../core/messages/text.ts";
import { type Recovered, recoverRecord } from "../../../gate/record/recover.ts";
import { whyWentBack } from "../../../gate/record/sealing.ts";
import { provedRecoverer } from "../../authority.ts";
import { Failure, orFail } from "../../failure.ts";
import { withUnguarded } from "../../gate/database.ts";
import { AS_OPTION, needTerminal, systemName } from "../../person.ts";
import { type CommandSpec, needed, text } from "../../spec.ts";
import { askYesNo } from "../../terminal/prompt.ts";

export const recover: CommandSpec = {
  name: "recover",
  summary: "record why the database is older than it was, so that the gate works again",
  options: [["--because <text>", "what happened, for the record"], AS_OPTION],
  examples: ['leeway recover --because "restored Monday\'s backup after the disk failed"'],
  exits: [0, 1, 2, 5],
  act: (given) =>
    withUnguarded(given, async (deps) => {
      const why = await whyWentBack(deps);
      if (why === undefined) {
        given.out.answer(
          { recovered: false },
          () => "The database is not older than it was: there is nothing to recover.",
        );
        return 0;
      }
      const because = needed(given, "because", 'say what happened: --because "…"');
      needTerminal(given.io, "say what happened to the database");
      given.out.note(`leeway: ${textOf(why.reason, "en")}`);
      const admin = await provedRecoverer(given, deps, "continue with this database");
      if (admin === undefined && !(await askYesNo(given.io, "continue with the database as it is now?", false)))
        throw new Failure(1, "cancelled", "nothing was changed");
      const by = admin?.name ?? text(given, "as") ?? systemName();
      const { value } = orFail(await recoverRecord(deps, { by, because, ...(admin && { admin }) }));
      given.out.answer({ recovered: true, by, because, ...inEnglish(value) }, () => recoveredText(by, value));
      return 0;
    }),
};

function recoveredText(by: string, { voided, signInsEnded, admin }: Recovered): string {
  const again = admin === undefined ? [] : [`${admin} is an admin again, with the same passphrase; nobody else is`];
  return [
    `recorded in the name of ${by}; the gate continues with the database as it is`,
    `${voided} approved calls that had not run are cancelled, ${signInsEnded} sign-ins ended`,
    ...again,
    "Restart servers and programs of this machine that were running: they refuse until then.",
    "Check what is in force now: `leeway status`, `leeway grants list`, `leeway tokens list`, `leeway policy show`.",
  ].join("\n");
}
