import { say } from "../messages/message.ts";
import type { PathWord } from "../shell/path-uses.ts";
import { addGraver, doubt, type EffectDraft } from "./effect-draft.ts";

/** Opening these changes nothing and tells nothing. */
const FREE = /^\/dev\/(null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/;
const SOCKET = /^\/dev\/(tcp|udp)\/([^/]+)\/([^/]+)$/;

/** Whether it is none of the files of a disk; a connection is a part of its own. */
export function isDevice(draft: EffectDraft, act: PathWord["act"], path: string): boolean {
  // What is moved onto one of them is gone.
  if (FREE.test(path) && act !== "delete" && act !== "move" && draft.class !== "fs.move") return true;
  const socket = SOCKET.exec(path);
  if (socket === null) return false;
  addGraver(draft, "network.write", [{ kind: "domain", domain: socket[2] ?? "", level: "write" }], "outside");
  doubt(draft, say("note.socket_data_unknown"));
  return true;
}
