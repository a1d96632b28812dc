import type { Change } from "../core/change.ts";

/** Whether the gate itself has something to do after this Change, at once: to send a notice, or to run an approved call. */
export function queuesWork({ writes }: Change): boolean {
  return writes.some((write) =>
    write.do === "start" || write.do === "step"
      ? write.right?.state === "ready"
      : write.do === "notice" || (write.do === "put" && write.table === "notices"),
  );
}
