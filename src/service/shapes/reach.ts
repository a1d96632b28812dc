import { CHANNEL_KINDS, minutesOf, type PersonReach } from "../../core/channel.ts";
import { say } from "../../core/messages/message.ts";
import { isMailAddress } from "../../gate/notices/mail-code.ts";
import { badInput } from "../refusal.ts";
import { inside, listOf, maybe, object, oneOf, type Shape, shapeOf, text, textOf } from "../shape.ts";

export const CHANNEL_KIND = oneOf(CHANNEL_KINDS);

/** A time of day, like 22:00. */
const timeOfDay: Shape<string> = shapeOf({ type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" }, (value, path) => {
  const given = textOf(value, path);
  if (minutesOf(given) !== undefined) return given;
  throw badInput(path, say("refusal.bad_time"), say("hint.write_time"));
});

/** The name of a time zone that this machine knows, like Europe/Berlin. */
const timeZone: Shape<string> = shapeOf({ type: "string", minLength: 1 }, (value, path) => {
  const given = textOf(value, path);
  try {
    new Intl.DateTimeFormat("en", { timeZone: given });
    return given;
  } catch {
    throw badInput(path, say("refusal.unknown_zone"), say("hint.write_zone"));
  }
});

const HOURS = object({ from: timeOfDay, to: timeOfDay, zone: timeZone });

const quietHours: typeof HOURS = {
  ...HOURS,
  read: (value, path, source) => {
    const hours = HOURS.read(value, path, source);
    if (hours.from !== hours.to) return hours;
    throw badInput(inside(path, "to"), say("refusal.same_times"), say("hint.leave_quiet_out"));
  },
};

/** When and how a person wants to get notices. For what is left out, the gate's defaults apply. */
export const REACH: Shape<PersonReach> = object({
  off: maybe(listOf(CHANNEL_KIND)),
  quiet: maybe(quietHours),
  language: maybe(oneOf(["en", "zh"])),
});

const ADDRESS_LENGTH_MAX = 254;

/** Only the form of the address is checked: the code that is sent there proves that it belongs to the person. */
const mailAddress: Shape<string> = shapeOf(
  { type: "string", format: "email", maxLength: ADDRESS_LENGTH_MAX },
  (value, path) => {
    const given = textOf(value, path, ADDRESS_LENGTH_MAX).trim();
    if (isMailAddress(given)) return given;
    throw badInput(path, say("refusal.not_a_mail_address"), say("hint.write_mail_address"));
  },
);

export const MAIL_ADDRESS = object({ address: mailAddress });
export const MAIL_CODE = object({ address: mailAddress, code: text });
export const ACCOUNT = object({ channel: CHANNEL_KIND, account: text });
