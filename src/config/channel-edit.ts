import type { Document } from "yaml";
import type { ChannelKind } from "../core/channel.ts";
import { type ChannelValues, channelLines } from "../core/policy/channel-fields.ts";
import { yamlLibrary } from "./parse/libraries.ts";

// Changes `channels` in the text of a policy file. Everything else in the file stays, with its comments and its order.

/** Whether the text sets up this channel. */
export function hasChannel(text: string, kind: ChannelKind): boolean {
  return documentOf(text).hasIn(["channels", kind]);
}

/** The text with this channel. If the text has no `channels` yet, everything in it stays exactly the same. */
export function withChannel(text: string, kind: ChannelKind, values: ChannelValues): string {
  const document = documentOf(text);
  if (!document.has("channels"))
    return `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${channelLines(kind, values)}`;
  // A key without a value, and an empty map, become a map with one line for each key.
  if (!hasMembers(document)) document.set("channels", document.createNode({ [kind]: values }));
  else document.setIn(["channels", kind], document.createNode(values));
  return written(document);
}

/** The text without this channel; the last one takes `channels` with it. */
export function withoutChannel(text: string, kind: ChannelKind): string {
  const document = documentOf(text);
  document.deleteIn(["channels", kind]);
  if (!hasMembers(document)) document.delete("channels");
  return written(document);
}

function hasMembers(document: Document): boolean {
  const { isMap } = yamlLibrary();
  const set = document.get("channels", true);
  return isMap(set) && set.items.length > 0;
}

function documentOf(text: string): Document {
  return yamlLibrary().parseDocument(text, { keepSourceTokens: true });
}

function written(document: Document): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}
