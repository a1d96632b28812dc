import type { EffectClass } from "../../effect.ts";
import type { PlainId } from "../../messages/message.ts";

type PlaceIn<Id> = Id extends `place.${infer Name}` ? Name : never;
/** The kind of a path: `git_hooks` stands for the message `place.git_hooks`. */
export type Place = PlaceIn<PlainId<"place">>;

/**
 * Protected paths: data only, one line each. A pattern is a run of names found anywhere in a path; a last `**` includes
 * everything below, a `*` stands for any part of one name. Names are compared without case.
 */
export type ProtectedRow = {
  path: string;
  write?: Extract<EffectClass, "permissions.change" | "deploy.write" | "schedule.write">;
  read?: Extract<EffectClass, "secrets.read">;
  /** Exceptions: last names, with a star or without, that match the pattern but are not protected. */
  not?: string;
  /** False if the folder that leads to it is an ordinary one that may be moved or deleted. */
  leads?: false;
  what: Place;
  /** A path that the row protects. It can be left out if replacing each star by a letter gives one. */
  example?: string;
};

export const permissions = "permissions.change";
export const secrets = "secrets.read";
export const deploy = "deploy.write";

/** Git runs these from any repository, also from a bare one, whose folder may have any name. */
export const GIT_HOOKS = (
  "applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change " +
  "post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push " +
  "pre-rebase pre-receive prepare-commit-msg proc-receive push-to-checkout reference-transaction sendemail-validate " +
  "update"
).split(" ");
