import { missingPrograms } from "../../box/rehearsal/ability.ts";
import type { Deps } from "../../gate/deps.ts";
import { boxAbility, boxingHere } from "../gate/local-boxes.ts";
import type { Finding } from "./finding.ts";

const HERE =
  "code changes the project's files where they are; `node tools/box-on-a-mac.mjs` in the source of Leeway tries further ways out of a box";

/** Whether calls can run in a box here. Without one, the gate asks instead: that is safe, and interrupts people more often. */
export async function boxChecks(deps: Deps, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  return [...(await abilityChecks(deps, env)), ...(await interruptedChecks(deps, env))];
}

/** What a process that died left half done is ended by the next command in that project, and nobody else may ever run one there. */
async function interruptedChecks(deps: Deps, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { rehearsals } = await boxingHere(deps, env);
  const projects = new Set(await rehearsals.interrupted());
  const halfDone = [...projects].map(
    (project): Finding => ({
      what: "box",
      state: "warn",
      says: `changes in ${project} are half done: a command applies them now, or was ended while it did`,
      hint: "the next command there that changes a file completes the changes or puts them back",
    }),
  );
  const untidy = (await rehearsals.tidy()).map(
    (trouble): Finding => ({
      what: "box",
      state: "warn",
      says: `something of an earlier command in a box could not be removed: ${trouble}`,
      hint: "mend what the message says; it is tried again once an hour",
    }),
  );
  return [...halfDone, ...untidy];
}

async function abilityChecks(deps: Deps, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const ability = await boxAbility(deps, env);
  if (!ability.ok)
    return [{ what: "box", state: "warn", says: `no box can be made here: ${ability.why}`, hint: ability.hint }];
  if (ability.rehearses) {
    return [
      { what: "box", state: "ok", says: "calls run in boxes; the walls were tried, and changes can be rehearsed" },
    ];
  }
  if (ability.note !== undefined) {
    const says = `calls run in boxes, and the walls were tried on this machine; changes cannot be rehearsed; ${ability.note}`;
    return [{ what: "box", state: "warn", says, hint: HERE }];
  }
  const missing = missingPrograms();
  if (missing.length > 0) {
    const says = `calls run in boxes, but changes cannot be rehearsed: missing programs: ${missing.join(", ")}`;
    const hint =
      "install util-linux, coreutils and findutils; until then code changes the project's files where they are";
    return [{ what: "box", state: "warn", says, hint }];
  }
  return [
    {
      what: "box",
      state: "warn",
      says: "calls run in boxes, but changes cannot be rehearsed: this system does not let users mount an overlay",
      hint: "a kernel from 5.11 on lets users do this; until then code changes the project's files where they are",
    },
  ];
}
