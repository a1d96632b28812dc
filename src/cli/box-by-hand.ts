import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isEntry } from "../box/network/domains.ts";
import type { BoxReport } from "../box-port.ts";
import type { FileChange, Walls } from "../core/box.ts";
import { codeOf, madeBox, runInBox, tellRefused } from "./boxed-run.ts";
import { Failure, shown, usage } from "./failure.ts";
import { withDatabase } from "./gate/database.ts";
import { boxingHere } from "./gate/local-boxes.ts";
import { type CommandInput, flag, textList } from "./spec.ts";
import { hasPerson } from "./terminal/io.ts";
import { askYesNo } from "./terminal/prompt.ts";
import { isThere, startOf } from "./terminal/spawn.ts";

// `leeway box -- COMMAND`: a person runs a command in walls. Nothing is decided, and nothing is recorded.

export function boxByHand(given: CommandInput): Promise<number> {
  return withDatabase(given, async (deps) => {
    const { maker, rehearsals } = await boxingHere(deps, given.io.env);
    const ability = await maker.ability();
    if (!ability.ok) throw new Failure(5, `no box can be made here (${ability.why}), so nothing was run`, ability.hint);
    const rehearse = flag(given, "rehearse");
    if (rehearse && !ability.rehearses)
      throw new Failure(5, "nothing can be rehearsed here, so nothing was run", "leave out --rehearse");
    const project = realpathSync.native(deps.policies.current().project);
    const walls = wallsOf(given, project);
    const { cwd, env } = given.io;
    if (!isThere(given.args[0] ?? "", { cwd, env }))
      throw new Failure(1, `${given.args[0]} was not found`, "check the command's name");
    const start = startOf(given.args, { cwd: realpathSync.native(cwd), env });
    const prepared = await madeBox(() => maker.prepare(start, walls, { rehearse, project }));
    const ran = await runInBox(given, prepared, { signal: new AbortController().signal });
    const exitCode = await codeOf(async () => ran.exitCode());
    tellRefused(given, ran.report, "--write and --network open the box further", { isByHand: true });
    const applied = await appliedIfWanted(given, ran.report, rehearsals);
    if (given.out.json) given.out.answer(answerOf(ran.report, exitCode, applied), () => "");
    return exitCode;
  });
}

function wallsOf(given: CommandInput, project: string): Walls {
  const write = textList(given, "write").map((path) => resolve(given.io.cwd, path));
  const missing = write.find((path) => statSync(path, { throwIfNoEntry: false }) === undefined);
  if (missing !== undefined) throw usage(`${missing} does not exist`, "name a file or folder that is there");
  const network = textList(given, "network");
  const wrong = network.find((domain) => !isEntry(domain));
  if (wrong !== undefined)
    throw usage(
      `${shown(wrong)} is not a domain`,
      "write only the host: registry.npmjs.org, *.example.com or localhost:8080",
    );
  const isReadOnly = flag(given, "readOnly");
  if (isReadOnly && write.length > 0) throw usage("--read-only and --write contradict each other", "use one of them");
  if (isReadOnly && flag(given, "rehearse"))
    throw usage("--read-only and --rehearse contradict each other", "use one of them");
  return {
    write: isReadOnly ? [] : write.length === 0 ? [project] : write.map((path) => realpathSync.native(path)),
    network,
    reveal: [],
  };
}

type Rehearsals = Awaited<ReturnType<typeof boxingHere>>["rehearsals"];

/** Undefined if nothing was rehearsed. Without a person, nothing is applied. */
async function appliedIfWanted(
  given: CommandInput,
  { rehearsal }: BoxReport,
  rehearsals: Rehearsals,
): Promise<boolean | undefined> {
  if (rehearsal === undefined) return undefined;
  const { name, changes } = rehearsal;
  if (!given.out.json) given.out.note(changes.length === 0 ? "no file would change" : changes.map(lineOf).join("\n"));
  // These changes are not recorded and cannot be undone, so Enter alone applies only new files.
  const takesAway = changes.some(({ was }) => was !== null);
  const asks = () => askYesNo(given.io, "apply these changes?", !takesAway);
  const isWanted = changes.length > 0 && hasPerson(given.io) && (await asks());
  if (!isWanted) {
    await rehearsals.drop(name);
    if (!given.out.json && changes.length > 0) given.out.note("nothing was applied");
    return false;
  }
  const applied = await rehearsals.apply(name);
  if (applied.ok) return true;
  const moved = applied.moved.slice(0, 5).map(shown).join(", ");
  throw new Failure(1, `nothing was applied, because files changed meanwhile: ${moved}`, "run the command again");
}

function lineOf({ path, was, now }: FileChange): string {
  return `${was === null ? "added" : now === null ? "removed" : "changed"}  ${shown(path)}`;
}

function answerOf({ refused, rehearsal }: BoxReport, exitCode: number, applied: boolean | undefined) {
  const rehearsed = rehearsal === undefined ? {} : { changes: rehearsal.changes, applied: applied ?? false };
  return { exitCode, refused, ...rehearsed };
}
