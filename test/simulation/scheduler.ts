/** Random numbers from a seed: the same seed gives the same run, step by step. */
export type Dice = { below(n: number): number; chance(p: number): boolean; pick<T>(list: readonly T[]): T };

export function dice(seed: number): Dice {
  let state = (seed * 2654435761) >>> 0 || 1;
  const next = () => {
    // xorshift32: small, fast and good enough to choose who goes next.
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4294967296;
  };
  const below = (n: number) => Math.floor(next() * n);
  return {
    below,
    chance: (p) => next() < p,
    pick: <T>(list: readonly T[]): T => {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new Error("picked from an empty list");
      return picked;
    },
  };
}

export type Scheduler = {
  /** Waits for its turn. Every access to the store is one turn, so every interleaving can happen. */
  turn(process: string): Promise<void>;
  /** The process has been killed: whatever it was about to do never happens. */
  kill(process: string): void;
  run(stepsMax: number, afterEach: () => void): Promise<number>;
};

export function scheduler(random: Dice): Scheduler {
  let waiting: { process: string; go: () => void }[] = [];
  return {
    turn: (process) => new Promise((go) => waiting.push({ process, go })),
    kill: (process) => {
      waiting = waiting.filter((one) => one.process !== process);
    },
    run: async (stepsMax, afterEach) => {
      let steps = 0;
      for (; steps < stepsMax && waiting.length > 0; steps++) {
        const [next] = waiting.splice(random.below(waiting.length), 1);
        next?.go();
        await quiet();
        afterEach();
      }
      return steps;
    },
  };
}

/** Resolves when every promise that can continue has continued. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
