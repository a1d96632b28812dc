import type { Variables } from "../../config/environment.ts";
import { usage } from "../failure.ts";
import { type CommandInput, textList } from "../spec.ts";

/** Variables that say which gate decides. */
const SETTINGS = [
  ...["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "LEEWAY_DB", "LEEWAY_POLICY", "LEEWAY_WORKSPACE"],
  ...["LEEWAY_URL", "LEEWAY_TOKEN", "LEEWAY_RESIDENT"],
];

/**
 * The variables of the gateway itself. Like an installed hook, an installed gateway carries those that choose its gate
 * (`--env`): some clients pass on only a few variables, and some let a project set them.
 */
export function gateVariables(given: CommandInput): Variables {
  const installed = textList(given, "env").map((one) => {
    const [name = "", ...value] = one.split("=");
    if (!SETTINGS.includes(name) || value.length === 0)
      throw usage(`--env ${one} is not one of these variables with a value`, `use ${SETTINGS.join(", ")}`);
    return [name, value.join("=")] as const;
  });
  if (installed.length === 0) return given.io.env;
  const others = Object.entries(given.io.env).filter(([name]) => !SETTINGS.includes(name));
  return Object.fromEntries([...others, ...installed]);
}
