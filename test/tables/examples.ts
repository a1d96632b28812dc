import { classify } from "../../src/core/classify/classify.ts";
import { commandCall, knowing } from "../cases/trying.ts";

/** A command, the classes of its parts, and whether it is understood to the end. */
type Tried = { command: string; classes: string[]; understood: string };

/** What an example of a table says: `git st => process.exec ?`, or a command alone where all of it is of the program's class. */
export function promisedBy(example: string, own: string): Tried {
  const [command = "", said] = example.split(" => ");
  const words = (said ?? own).split(" ");
  return {
    command,
    classes: words.filter((word) => word !== "?").sort(),
    understood: words.includes("?") ? "partly" : "fully",
  };
}

/** What the classifier says of the same command. That something changes nothing is said only where nothing else is. */
export function foundFor(example: string): Tried {
  const [command = ""] = example.split(" => ");
  const call = commandCall(command);
  const { parts, understood } = classify(call, knowing(call));
  const classes = [...new Set<string>(parts.map((part) => part.class))].filter((name) => name !== "none").sort();
  return { command, classes: classes.length === 0 ? ["none"] : classes, understood };
}
