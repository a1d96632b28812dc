/** What waits, in lanes that take turns: however much waits in one lane, the first of another lane comes next. */
export type Lanes<T> = {
  push(lane: string, item: T): void;
  /** The item whose turn it is; it stays until it is dropped. */
  next(): T | undefined;
  drop(): void;
};

export function newLanes<T>(): Lanes<T> {
  const lanes = new Map<string, T[]>();
  const first = () => lanes.entries().next().value;
  return {
    push: (lane, item) => {
      const items = lanes.get(lane);
      if (items === undefined) lanes.set(lane, [item]);
      else items.push(item);
    },
    next: () => first()?.[1][0],
    drop: () => {
      const [lane, items] = first() ?? [];
      if (lane === undefined || items === undefined) return;
      items.shift();
      lanes.delete(lane);
      // The lane goes to the end.
      if (items.length > 0) lanes.set(lane, items);
    },
  };
}
