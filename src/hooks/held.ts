import type { StillBoxes } from "../box-port.ts";
import { say } from "../core/messages/message.ts";
import { type Besides, doubtAbout } from "../gate/boxes/besides.ts";
import type { HostCall } from "./host.ts";

/** What freezes the boxes, and knows what the call may write. */
type Holding = {
  hold(call: HostCall): Promise<StillBoxes | undefined>;
  writes(call: HostCall): Promise<readonly string[]>;
};

/**
 * Programs in the background that change files where they are, while a hook decides. They stand still, so that what is decided about a
 * path is what is there, and they go on while a person is asked.
 */
export class Held {
  readonly #gate: Holding;
  readonly #call: HostCall;
  #boxes: StillBoxes | undefined;
  #hasWaited = false;

  constructor(gate: Holding, call: HostCall) {
    this.#gate = gate;
    this.#call = call;
  }

  /** From now on they stand still. `opensFiles`: whether files of this call would be opened while they run. */
  async whyAsked(opensFiles: () => Promise<boolean>): Promise<Besides | undefined> {
    this.#boxes = await this.#gate.hold(this.#call);
    if (this.#boxes === undefined) return undefined;
    const why = doubtAbout(this.#boxes);
    if (why !== undefined) return { why, files: false };
    return (await opensFiles()) ? { why: say("hook.files_beside"), files: true } : undefined;
  }

  async meanwhile<T>(wait: () => Promise<T>): Promise<T> {
    this.release();
    const waited = await wait();
    this.#hasWaited = true;
    this.#boxes = await this.#gate.hold(this.#call);
    return waited;
  }

  /** The host runs the call now. False if the programs may have moved something under its feet. */
  async run(until: "end" | "now"): Promise<boolean> {
    if (this.#boxes === undefined) return true;
    const isDoubtful = doubtAbout(this.#boxes) !== undefined;
    // Somebody has approved it in spite of that, but not what was found since.
    if (isDoubtful && this.#hasWaited) return false;
    return (await this.#boxes.run(await this.#gate.writes(this.#call), until)) || isDoubtful;
  }

  release(): void {
    this.#boxes?.release();
    this.#boxes = undefined;
  }
}
