import type { WhenInput } from "../core/policy.ts";

type Holds = (input: WhenInput) => boolean | undefined;

/**
 * A call is judged part by part. An expression that only uses the call gives the same result for each part, so it is
 * computed once.
 */
export function oncePerCall(holds: Holds): Holds {
  let last: { input: WhenInput; held: boolean | undefined } | undefined;
  return (input) => {
    if (last !== undefined && isSame(last.input, input)) return last.held;
    last = { input, held: holds(input) };
    return last.held;
  };
}

/** While a call is judged, its arguments are one unchanged object. */
function isSame(a: WhenInput, b: WhenInput): boolean {
  const [one, other] = [a.call as Record<string, unknown>, b.call as Record<string, unknown>];
  return (
    Object.keys(other).every((key) => one[key] === other[key]) &&
    a.context.nowMs === b.context.nowMs &&
    a.context.workspace === b.context.workspace
  );
}
