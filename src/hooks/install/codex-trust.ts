import { createHash } from "node:crypto";
import { canonical } from "../../core/values/canonical.ts";
import { isObject, type JsonObject } from "../../core/values/json.ts";
import { isOurs } from "./hook-lists.ts";
import { type Changed, parsedSettings } from "./settings-json.ts";

// Codex starts a hook only if the user's `config.toml` has the hash of its definition, under a key with its place: this is
// what `/hooks` in Codex writes when a person trusts a hook.

const BEGIN = "# leeway: trusts the hooks of Leeway, as /hooks in Codex does";
const END = "# leeway: end";

/** The text of `config.toml` with the hooks of this `hooks.json` trusted. */
export function withTrust(before: string, hooksFile: string, hooksText: string): Changed<string> {
  const bare = withoutTrust(before);
  if (/^[ \t]*(hooks[ \t]*=|hooks\.state\b)|^[ \t]*\[hooks\][^[]*^[ \t]*state\b/m.test(bare))
    return { ok: false, why: "it has `hooks.state` in a form that cannot be added to; write it as tables" };
  const parsed = parsedSettings(hooksText);
  if (!parsed.ok) return parsed;
  let text = bare;
  const added: string[] = [];
  for (const { key, hash } of trusted(hooksFile, parsed.value)) {
    const again = withHash(text, key, hash);
    if (again === undefined) added.push(headerOf(key), `trusted_hash = "${hash}"`);
    else text = again;
  }
  if (added.length === 0) return { ok: true, after: text };
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return { ok: true, after: [`${start}${BEGIN}`, ...added, END, ""].join("\n") };
}

export function withoutTrust(text: string): string {
  const from = text.indexOf(`${BEGIN}\n`);
  const to = text.indexOf(`${END}\n`, from);
  return from < 0 || to < 0 ? text : text.slice(0, from) + text.slice(to + END.length + 1);
}

/** A person may have trusted an earlier definition at the same place: its hash is replaced. */
function withHash(text: string, key: string, hash: string): string | undefined {
  const at = text.indexOf(headerOf(key));
  if (at < 0) return undefined;
  const begin = at + headerOf(key).length;
  const next = text.indexOf("\n[", begin);
  const body = text.slice(begin, next < 0 ? text.length : next);
  const line = `\ntrusted_hash = "${hash}"`;
  const other = body.replace(/\n[ \t]*trusted_hash[ \t]*=[^\n]*/, "");
  return text.slice(0, begin) + line + other + (next < 0 ? "" : text.slice(next));
}

function headerOf(key: string): string {
  return `[hooks.state.${JSON.stringify(key)}]`;
}

/** The keys and hashes of our own hooks. */
function trusted(file: string, settings: JsonObject): readonly { key: string; hash: string }[] {
  const { hooks } = settings;
  if (!isObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, list]) =>
    (Array.isArray(list) ? list : []).flatMap((entry, group) => {
      if (!isOurs("codex", entry) || !isObject(entry) || !Array.isArray(entry["hooks"])) return [];
      const name = event.replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase();
      return entry["hooks"].flatMap((hook, at) =>
        isObject(hook) ? [{ key: `${file}:${name}:${group}:${at}`, hash: hashOf(name, entry, hook) }] : [],
      );
    }),
  );
}

/** Codex hashes the definition with its defaults filled in and its keys sorted. Ours leave no default but `async` out. */
function hashOf(event: string, { matcher }: JsonObject, hook: JsonObject): string {
  const identity: JsonObject = {
    event_name: event,
    hooks: [{ async: false, ...hook }],
    ...(matcher === undefined ? {} : { matcher }),
  };
  return `sha256:${createHash("sha256").update(canonical(identity)).digest("hex")}`;
}
