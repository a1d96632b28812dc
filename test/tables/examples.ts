import { classify } from "../../src/core/classify/classify.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import { commandCall, knowing } from "../cases/trying.ts";

/** A command, the classes of its parts, and whether it is fully understood. */
type Tried = { command: string; classes: string[]; understood: string };

/** The expectation of an example in a table: `git st => process.exec ?`, or only a command if all of it has the program's class. */
export function promisedBy(example: string, own: string): Tried {
  const [command = "", said] = example.split(" => ");
  const words = (said ?? own).split(" ");
  return {
    command,
    classes: words.filter((word) => word !== "?").sort(),
    understood: words.includes("?") ? "partly" : "fully",
  };
}

/** What the classifier says about the same command. The class `none` is listed only if there is no other. */
export function foundFor(example: string): Tried {
  const [command = ""] = example.split(" => ");
  const call = commandCall(command);
  const { parts, understood } = classify(readCall(call), knowing(call));
  const classes = [...new Set<string>(parts.map((part) => part.class))].filter((name) => name !== "none").sort();
  return { command, classes: classes.length === 0 ? ["none"] : classes, understood };
}
