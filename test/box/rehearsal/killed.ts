import { openRehearsals } from "../../../src/box/rehearsal/rehearsals.ts";
import { dieAt } from "./death.ts";

// A process that applies a rehearsal and is killed while it does.

const [, , state = "", name = "", point = ""] = process.argv;

dieAt(Number(point), () => {
  process.kill(process.pid, "SIGKILL");
  // The signal ends this process before `kill` returns.
  throw new Error("still alive");
});
await openRehearsals(state, () => 0).apply(name);
