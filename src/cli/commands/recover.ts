import { type Recovered, recoverRecord } from "../../gate/record/recover.ts";
import { whyWentBack } from "../../gate/record/sealing.ts";
import { provedRecoverer } from "../authority.ts";
import { Failure, orFail } from "../failure.ts";
import { withUnguarded } from "../gate/database.ts";
import { AS_OPTION, needTerminal, systemName } from "../person.ts";
import { askYesNo } from "../prompt.ts";
import { type CommandSpec, needed, text } from "../spec.ts";

export const recover: CommandSpec = {
  name: "recover",
  summary: "say what happened to a database that went back, and go on from it",
  options: [["--because <text>", "what happened, for the record"], AS_OPTION],
  examples: ['leeway recover --because "restored Monday\'s backup after the disk failed"'],
  exits: [0, 1, 2, 5],
  act: (given) =>
    withUnguarded(given, async (deps) => {
      const why = await whyWentBack(deps);
      if (why === undefined) {
        given.out.answer({ recovered: false }, () => "The database did not go back: there is nothing to recover.");
        return 0;
      }
      const because = needed(given, "because", 'say what happened: --because "…"');
      needTerminal(given.io, "say what happened to the database");
      given.out.note(`leeway: ${why.reason}`);
      const admin = await provedRecoverer(given, deps, "go on from this database");
      if (admin === undefined && !(await askYesNo(given.io, "go on from the database as it is now?")))
        throw new Failure(1, "cancelled", "nothing was changed");
      const by = admin?.name ?? text(given, "as") ?? systemName();
      const { value } = orFail(await recoverRecord(deps, { by, because, ...(admin && { admin }) }));
      given.out.answer({ recovered: true, by, because, ...value }, () => recoveredText(by, value));
      return 0;
    }),
};

function recoveredText(by: string, { voided, signInsEnded, admin }: Recovered): string {
  const again = admin === undefined ? [] : [`${admin} is admin again, with the same passphrase; nobody else is`];
  return [
    `recorded as said by ${by}; the gate goes on from the database as it is`,
    `${voided} approved calls that had not run are void, ${signInsEnded} sign-ins ended`,
    ...again,
    "Look at what is in force now: `leeway status`, `leeway grants list`, `leeway tokens list`, `leeway policy show`.",
  ].join("\n");
}
