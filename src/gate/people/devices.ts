import { ECDH } from "node:crypto";
import type { Contact } from "../../core/channel.ts";
import { type Refused, refused } from "../../core/codes.ts";
import { say } from "../../core/messages/message.ts";
import type { Person } from "../../core/people.ts";
import { sha256Hex } from "../../core/values/hash.ts";
import type { Deps } from "../deps.ts";
import { settingsOf } from "../notices/sending.ts";
import type { Acting } from "./acting.ts";
import { linkBrowser, unlinkContact } from "./contacts.ts";

// The browsers in which a person wants to get notices. Each is an account of the channel `push`.

/** A browser as its person sees it. Its address is a secret of the browser and its push service. */
export type Device = { id: string; label: string; linkedMs: number };

/** What a browser gives to a server that may send to it. */
export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };

export function devicesOf({ contacts = [] }: Pick<Person, "contacts">): readonly Device[] {
  return contacts
    .filter(({ channel }) => channel === "push")
    .map(({ account, label, linkedMs }) => ({ id: deviceId(account), label, linkedMs }));
}

function deviceId(account: string): string {
  return `dev_${sha256Hex(account).slice(0, 24)}`;
}

const ENDPOINT_MAX = 2_000;
/** An uncompressed point of the curve P-256 and a secret, as the standard has them (RFC 8291). */
const [POINT_BYTES, AUTH_BYTES] = [65, 16];

type Added = { ok: true; value: Device } | Refused;

/** From now on notices are sent to this browser too. */
export async function addDevice(
  deps: Deps,
  { endpoint, keys }: Subscription,
  { label, acting }: { label: string; acting: Acting },
): Promise<Added> {
  const settings = await settingsOf(deps, "push");
  if (settings?.kind !== "push") return NO_PUSH;
  if (!isEndpoint(endpoint, settings.nearby === true) || !areKeys(keys))
    return refused("LEEWAY_BAD_INPUT", say("refusal.not_a_subscription"), say("hint.subscribe_in_settings"));
  const contact: Omit<Contact, "linkedMs"> = { channel: "push", account: endpoint, label, keys };
  const linked = await linkBrowser(deps, contact, acting);
  if (!linked.ok) return linked;
  const added = devicesOf(linked.value).find(({ id }) => id === deviceId(endpoint));
  if (added === undefined) throw new Error("a browser that was linked is not there (this is a bug)");
  return { ok: true, value: added };
}

export const NO_PUSH = refused("LEEWAY_NOT_FOUND", say("refusal.no_push_channel"), say("hint.set_up_push"));

/** Messages are sent only by https; a service in a private network may use http if the settings allow it. */
function isEndpoint(text: string, mayBeNear: boolean): boolean {
  if (text.length > ENDPOINT_MAX || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === "https:" || (mayBeNear && protocol === "http:")) && username === "" && password === "";
}

function areKeys({ p256dh, auth }: Subscription["keys"]): boolean {
  try {
    if (Buffer.from(auth, "base64url").length !== AUTH_BYTES) return false;
    if (Buffer.from(p256dh, "base64url").length !== POINT_BYTES) return false;
    ECDH.convertKey(p256dh, "prime256v1", "base64url", "base64url", "uncompressed");
    return true;
  } catch {
    // Not a point of the curve: nothing could be encrypted for this browser.
    return false;
  }
}

export async function removeDevice(deps: Deps, person: Person, id: string, acting: Pick<Acting, "by">): Promise<Added> {
  const found = devicesOf(person).find((one) => one.id === id);
  const account = person.contacts?.find((one) => one.channel === "push" && deviceId(one.account) === id)?.account;
  if (found === undefined || account === undefined)
    return refused("LEEWAY_NOT_FOUND", say("refusal.no_device", { id }), say("hint.devices_in_settings"));
  const gone = await unlinkContact(deps, person.name, { channel: "push", account }, acting);
  return gone.ok ? { ok: true, value: found } : gone;
}
