/** Small seeded random numbers, so that a failure can be repeated from the printed seed. */
export type Random = ReturnType<typeof random>;

export function random(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  const chance = (probability: number) => next() < probability;
  const pick = <T>(from: readonly T[]): T => from[int(from.length)] as T;
  const some = <T>(from: readonly T[], max: number): T[] => Array.from({ length: 1 + int(max) }, () => pick(from));
  const upTo = <T>(max: number, make: () => T): T[] => Array.from({ length: int(max + 1) }, make);
  const maybe = <K extends string, T>(probability: number, key: K, make: () => T): { [key in K]?: T } =>
    (chance(probability) ? { [key]: make() } : {}) as { [key in K]?: T };
  return { next, int, chance, pick, some, upTo, maybe };
}
