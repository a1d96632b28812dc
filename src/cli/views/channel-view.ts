import { inOrAgo } from "../../core/show/when.ts";
import { visible, visibleOnOneLine } from "../../core/values/text.ts";
import type { ChannelView, TestView } from "../../service/views/channels.ts";
import type { Out } from "../terminal/io.ts";
import { wrap } from "../terminal/table.ts";

const NONE = "The policy in force sets up no channel. `leeway channels add KIND` sets one up.";

export function channelsText(out: Out, channels: readonly ChannelView[], nowMs: number): string {
  if (channels.length === 0) return wrap(NONE, out.width);
  return channels.map((channel) => channelText(out, channel, nowMs)).join("\n");
}

function channelText(
  out: Out,
  { kind, secrets, last, connection, waiting, dead, callback }: ChannelView,
  nowMs: number,
): string {
  const { bold, red, green } = out.colours;
  const found = secrets.map((one) => `${one.key} (${one.at}) ${one.found ? green("found") : red("not found")}`);
  const went =
    last === undefined
      ? []
      : [`last delivery ${inOrAgo(last.atMs, nowMs)}: ${visibleOnOneLine(last.failure ?? "worked")}`];
  const lines = [
    ...(found.length === 0 ? [] : [`secrets: ${found.join(", ")}`]),
    ...went,
    ...(connection === undefined
      ? []
      : [
          `connection for answers, ${inOrAgo(connection.atMs, nowMs)}: ${visibleOnOneLine(connection.failure ?? "open")}`,
        ]),
    `${waiting} waiting to be sent, ${dead} given up`,
    ...(callback === undefined ? [] : [`callbacks: ${callback}`]),
  ];
  return [bold(kind), ...lines.map((line) => wrap(line, out.width, "  "))].join("\n");
}

const TOLD = {
  you: "it works; a test message was sent to you",
  chat: "it works; a test message was sent to its chat or address",
  nobody: "its settings work",
} as const;

export function testText(out: Out, { kind, ok, told, at, why, remedy }: TestView): string {
  const said = why === undefined ? [] : [why, ...(remedy === undefined ? [] : [remedy])].map(visible);
  if (ok) return [`${kind}: ${TOLD[told ?? "nobody"]}`, ...said.map((line) => wrap(line, out.width, "  "))].join("\n");
  const [failure = "", ...more] = said;
  const head = wrap(`${kind}: failed (${at ?? "service"}): ${failure}`, out.width);
  return [head, ...more.map((line) => wrap(`hint: ${line}`, out.width, "  "))].join("\n");
}
