// Work that goes on beside the rounds of the ticker, so that a slow tool or channel delays nothing else.

const AT_ONCE_MAX = 16;

export function workBeside(failed: (error: unknown) => void) {
  const going = new Set<Promise<unknown>>();
  return {
    room: () => AT_ONCE_MAX - going.size,
    start: (work: Promise<unknown>) => {
      const done: Promise<unknown> = work.catch(failed).finally(() => going.delete(done));
      going.add(done);
    },
    ended: () => Promise.all(going),
  };
}

/** At most this many deliveries of one channel run at once, so that a channel that hangs leaves room for the others. */
export const PER_CHANNEL_MAX = 6;
/** A delivery that waited longer for its channel is left to its lease, which must not end while it is being sent. */
export const HELD_MS = 5_000;
/** At most this many deliveries wait for their channel. The others are left to their lease too, to save memory. */
export const HELD_MAX = 100;

type Held = { channel: string; untilMs: number; work: () => Promise<unknown> };

/** Deliveries beside the rounds. What a channel has no room for is held for a short time. */
export function deliverySlots(failed: (error: unknown) => void, nowMs: () => number = () => performance.now()) {
  const beside = workBeside(failed);
  const going = new Map<string, number>();
  let held: readonly Held[] = [];
  const countOf = (channel: string) => going.get(channel) ?? 0;
  const forgetLate = () => {
    held = held.filter(({ untilMs }) => untilMs > nowMs());
  };
  const next = (channel: string): Held | undefined => {
    forgetLate();
    const found = held.find((one) => one.channel === channel);
    held = held.filter((one) => one !== found);
    return found;
  };
  const run = (channel: string, work: () => Promise<unknown>): void => {
    going.set(channel, countOf(channel) + 1);
    const ended = () => {
      going.set(channel, countOf(channel) - 1);
      const following = next(channel);
      if (following !== undefined) run(channel, following.work);
    };
    beside.start(work().finally(ended));
  };
  return {
    room: beside.room,
    start: (channel: string, work: () => Promise<unknown>) => {
      if (countOf(channel) < PER_CHANNEL_MAX) return run(channel, work);
      forgetLate();
      if (held.length < HELD_MAX) held = [...held, { channel, work, untilMs: nowMs() + HELD_MS }];
    },
    ended: () => {
      held = [];
      return beside.ended();
    },
  };
}
