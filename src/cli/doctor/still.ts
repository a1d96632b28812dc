import { statSync } from "node:fs";
import { isServerAddress, shownDatabase } from "../../config/database-place.ts";
import { SettingError, type Settings } from "../../config/environment.ts";
import { nameText } from "../../core/letters/name-text.ts";
import { textOf } from "../../core/messages/text.ts";
import { runChanging } from "../../core/tables/variables.ts";
import { visible } from "../../core/values/text.ts";
import type { OpenedGate } from "../gate/database.ts";
import { faultLine, namedText, olderPreset } from "../views/policy-view.ts";
import type { Finding } from "./finding.ts";

// Checks that only read: files, policies, people, environment.

export function fileChecks(settings: Settings): Finding[] {
  return [
    modeOf("folder", settings.stateFolder, 0o077),
    ...(settings.key === undefined
      ? [modeOf("key", settings.keyFile, 0o077)]
      : [{ what: "key", state: "ok", says: "taken from LEEWAY_KEY" } satisfies Finding]),
    isServerAddress(settings.db)
      ? { what: "database", state: "ok", says: `PostgreSQL: ${shownDatabase(settings.db)}` }
      : modeOf("database", settings.db, 0o077),
  ];
}

function modeOf(what: string, path: string, forbidden: number): Finding {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return { what, state: "bad", says: `${path} is missing`, hint: "run `leeway init`" };
  const mode = (found.mode & 0o777).toString(8).padStart(4, "0");
  if ((found.mode & forbidden) === 0) return { what, state: "ok", says: `${path} (${mode})` };
  return { what, state: "bad", says: `other users can access ${path} (${mode})`, hint: `chmod go-rwx ${path}` };
}

/** What a server would run itself. Without the file it runs nothing, which is not a problem. */
export async function runnerChecks({ stateFolder }: Settings): Promise<Finding[]> {
  // Loaded on first use: other commands do not need the reader of such files.
  const [{ readServerSettings }, { runnersOf }] = await Promise.all([
    import("../../config/server-settings.ts"),
    import("../../compose.ts"),
  ]);
  try {
    const { file, runners } = readServerSettings(stateFolder);
    runnersOf({ file, runners });
    const tools = runners.map(({ tool, by }) => `${nameText(tool)} (${by})`).join(", ");
    return tools === "" ? [] : [{ what: "runners", state: "ok", says: `a server runs ${tools} itself` }];
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const says = error.message.slice(0, -`; ${error.hint}`.length);
    return [{ what: "runners", state: "bad", says, hint: error.hint }];
  }
}

export async function policyChecks(deps: OpenedGate): Promise<Finding[]> {
  const { files, named } = deps.policies.current();
  const { rows, layers } = await deps.standing.current();
  if (layers.noPolicy !== undefined) {
    return [
      {
        what: "policy",
        state: "bad",
        says: `no policy can be loaded, so everything is denied: ${textOf(layers.noPolicy, "en")}`,
        hint: "run `leeway policy check` to see the errors",
      },
    ];
  }
  if (files.length === 0) {
    return [
      {
        what: "policy",
        state: "ok",
        says: "no policy file is used here, so the preset standard is in force",
        hint: "run `leeway init` to write a policy file",
      },
    ];
  }
  return files.map(({ path, loaded }): Finding => {
    if (!loaded.ok) {
      const [fault] = loaded.faults;
      const says = `${fault === undefined ? path : faultLine(fault)}; the last accepted version stays in force`;
      return { what: "policy", state: "warn", says, hint: "run `leeway policy check` to see all errors" };
    }
    if (named)
      return {
        what: "policy",
        state: "ok",
        says: `${path}: ${namedText(path, deps.workspace)}`,
      };
    const accepted = rows.policies.some(
      (row) => row.state === "accepted" && row.path === path && row.version === loaded.policy.version,
    );
    const inForce = layers.layers.find(({ policy }) => policy.source === path)?.policy;
    const older = accepted && inForce !== undefined ? olderPreset(inForce) : undefined;
    if (older !== undefined) return { what: "policy", state: "warn", says: `${path}: ${older.says}`, hint: older.hint };
    if (accepted) return { what: "policy", state: "ok", says: `${path} is valid and accepted` };
    return {
      what: "policy",
      state: "warn",
      says: `the current version of ${path} is not accepted, so it can only make decisions stricter`,
      hint: "run `leeway policy accept` to put it in force",
    };
  });
}

export async function peopleChecks(deps: OpenedGate): Promise<Finding[]> {
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
          says: `${bare.join(", ")} cannot answer in a terminal: no passphrase is set`,
          hint: "an admin can set one with `leeway people passphrase`",
        },
      ];
}

const LOOSENING: Record<string, string> = {
  LEEWAY_POLICY: "this file is the only policy, and nobody has accepted it",
  LEEWAY_DB: "another database than the usual one is in use, with its own people and grants",
  LEEWAY_KEY: "the key comes from the environment, so programs started from here can read it",
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
      says: "Leeway sees only the calls that reach it: through the hook of an agent program, `leeway mcp`, `leeway run`, a server or the library. Everything else runs unchecked",
      hint: "`leeway init HOST` puts Leeway in front of an agent program; docs/threat-model.md says what stays outside",
    },
  ];
}

/** Variables that change what programs do become part of every command that reads them, and those commands ask. */
function variableChecks(env: NodeJS.ProcessEnv): Finding[] {
  const names = Object.keys(runChanging(env));
  if (names.length === 0) return [];
  const says = `${names.map(visible).join(", ")} ${names.length === 1 ? "is" : "are"} set: \`leeway run\` asks about commands that read ${names.length === 1 ? "it" : "them"}`;
  return [{ what: "variables", state: "warn", says, hint: "unset what you do not need" }];
}
