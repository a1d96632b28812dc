import { realpathSync } from "node:fs";
import { sayRefusals } from "../../box/refusals.ts";
import type { McpServer } from "../../config/mcp-file.ts";
import { boxedLink } from "../../mcp/links/boxed-link.ts";
import type { Connect } from "../../mcp/links/link.ts";
import { boxingHere } from "../gate/local-boxes.ts";
import type { CommandInput } from "../spec.ts";
import { isThere, startOf } from "../terminal/spawn.ts";

type Boxed = Extract<McpServer["by"], { is: "command" }> & { box: object };

/** Starts an MCP server in its box: what its tools can touch is bounded, whatever they do. */
export function boxedUpstream(
  { io }: Pick<CommandInput, "io">,
  { command, args, cwd = io.cwd, env, box }: Boxed,
): Connect {
  return boxedLink(async () => {
    const { maker } = await boxingHere({ clock: io.clock }, io.env);
    const ability = await maker.ability();
    if (!ability.ok) throw new Error(`${ability.why}; ${ability.hint}`);
    const folder = realpathSync.native(cwd);
    if (!isThere(command, { cwd: folder, env })) throw new Error(`${command} was not found`);
    const start = startOf([command, ...args], { cwd: folder, env });
    const walls = { ...box.walls, write: box.walls.write.map((path) => realpathSync.native(path)) };
    const prepared = await maker.prepare(start, walls, { rehearse: false, project: folder });
    const { program, args: words, cwd: from, env: passed } = prepared.start;
    return {
      // A box passes on no credentials by itself. These were named for this server, by whoever accepted how it is started.
      started: { command: program, args: words, cwd: from, env: { ...passed, ...box.named } },
      ended: async (errors) => sayRefusals((await prepared.ended(errors)).refused),
    };
  });
}
