import { statSync } from "node:fs";
import { SettingError, type Settings } from "../../config/environment.ts";
import { runChanging } from "../../core/tables/variables.ts";
import { visible } from "../../core/values/text.ts";
import type { Opened } from "../gate/database.ts";
import { faultLine } from "../policy-view.ts";
import type { Finding } from "./finding.ts";

// What can be seen without doing anything: files, policies, people, environment.

export function fileChecks(settings: Settings): Finding[] {
  return [
    modeOf("folder", settings.stateFolder, 0o077),
    ...(settings.key === undefined
      ? [modeOf("key", settings.keyFile, 0o077)]
      : [{ what: "key", state: "ok", says: "taken from LEEWAY_KEY" } satisfies Finding]),
    modeOf("database", settings.db, 0o077),
  ];
}

function modeOf(what: string, path: string, forbidden: number): Finding {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return { what, state: "bad", says: `${path} is missing`, hint: "run `leeway init`" };
  const mode = (found.mode & 0o777).toString(8).padStart(4, "0");
  if ((found.mode & forbidden) === 0) return { what, state: "ok", says: `${path} (${mode})` };
  return { what, state: "bad", says: `${path} can be used by others (${mode})`, hint: `chmod go-rwx ${path}` };
}

/** What a server would carry out by itself. Without the file it carries out nothing, which is nobody's mistake. */
export async function runnerChecks({ stateFolder }: Settings): Promise<Finding[]> {
  // Loaded only now: other commands start without what reads such files.
  const [{ readServerSettings }, { runnersOf }] = await Promise.all([
    import("../../config/server-settings.ts"),
    import("../../compose.ts"),
  ]);
  try {
    const { file, runners } = readServerSettings(stateFolder);
    runnersOf({ file, runners });
    const tools = runners.map(({ tool, by }) => `${visible(tool)} (${by})`).join(", ");
    return tools === "" ? [] : [{ what: "runners", state: "ok", says: `a server carries out ${tools} itself` }];
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const says = error.message.slice(0, -`; ${error.hint}`.length);
    return [{ what: "runners", state: "bad", says, hint: error.hint }];
  }
}

export async function policyChecks(deps: Opened): Promise<Finding[]> {
  const { files, named } = deps.policies.current();
  const { rows, layers } = await deps.standing.current();
  if (layers.noPolicy !== undefined) {
    return [
      {
        what: "policy",
        state: "bad",
        says: `none loads, so everything is denied: ${layers.noPolicy}`,
        hint: "`leeway policy check` says where",
      },
    ];
  }
  if (files.length === 0) {
    return [
      {
        what: "policy",
        state: "ok",
        says: "no file counts here, so preset standard is in force",
        hint: "`leeway init` writes one",
      },
    ];
  }
  return files.map(({ path, loaded }): Finding => {
    if (!loaded.ok) {
      const [fault] = loaded.faults;
      const says = `${fault === undefined ? path : faultLine(fault)}; the last accepted one stays in force`;
      return { what: "policy", state: "warn", says, hint: "`leeway policy check` lists every fault" };
    }
    if (named)
      return {
        what: "policy",
        state: "ok",
        says: `${path} is set by --policy or LEEWAY_POLICY; no other policy file is used`,
      };
    const accepted = rows.policies.some(
      (row) => row.state === "accepted" && row.path === path && row.version === loaded.policy.version,
    );
    if (accepted) return { what: "policy", state: "ok", says: `${path} loads and is accepted` };
    return {
      what: "policy",
      state: "warn",
      says: `${path} is not accepted as it is now: it can only tighten`,
      hint: "`leeway policy accept` makes it count",
    };
  });
}

export async function peopleChecks(deps: Opened): Promise<Finding[]> {
  const { people } = (await deps.standing.current()).rows;
  const active = people.filter((person) => person.state === "active");
  if (!active.some((person) => person.admin)) {
    return [
      {
        what: "people",
        state: "bad",
        says: "there is no admin, so nobody can answer",
        hint: "run `leeway init` in a terminal",
      },
    ];
  }
  const bare = active.filter((person) => person.passphrase === undefined).map((person) => person.name);
  const says = `${active.map((person) => person.name).join(", ")} can answer`;
  return bare.length === 0
    ? [{ what: "people", state: "ok", says }]
    : [
        {
          what: "people",
          state: "warn",
          says: `${bare.join(", ")} have no passphrase and cannot answer in a terminal`,
          hint: "an admin can add them again with one",
        },
      ];
}

const LOOSENING: Record<string, string> = {
  LEEWAY_POLICY: "this file is the only policy, accepted by nobody",
  LEEWAY_DB: "another database than the usual one is in use: its people and grants count",
  LEEWAY_KEY: "the key comes from the environment, where programs started from here can read it",
};

export function overrideChecks(env: NodeJS.ProcessEnv): Finding[] {
  const set = Object.entries(LOOSENING).filter(([name]) => (env[name] ?? "") !== "");
  return [
    ...set.map(
      ([name, means]): Finding => ({
        what: "override",
        state: "warn",
        says: `${name} is set: ${means}`,
        hint: `unset ${name} if you did not set it`,
      }),
    ),
    ...variableChecks(env),
    {
      what: "fails open",
      state: "warn",
      says: "only what goes through the library, a server or `leeway run` is gated",
    },
  ];
}

/** What is set here and changes what programs do becomes part of every command that reads it, and is asked about. */
function variableChecks(env: NodeJS.ProcessEnv): Finding[] {
  const names = Object.keys(runChanging(env));
  if (names.length === 0) return [];
  const says = `${names.map(visible).join(", ")} ${names.length === 1 ? "is" : "are"} set: \`leeway run\` asks about commands that read ${names.length === 1 ? "it" : "them"}`;
  return [{ what: "variables", state: "warn", says, hint: "unset what you do not need" }];
}
