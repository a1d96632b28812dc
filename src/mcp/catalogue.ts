import type { JsonObject } from "../core/values/json.ts";
import type { Deps } from "../gate/deps.ts";
import { askForPin, type Pin, type Pins, readPins } from "../gate/standing/pins.ts";
import { badName, type Tool, toolIn } from "./offers.ts";
import { withoutWords } from "./server-words.ts";
import type { Upstream } from "./upstream.ts";

// The tools of one upstream, and which of them a person has accepted. They are listed again whenever the client lists
// them, after the upstream said that they changed, and before a call if the last list is old.

export type Shelf = {
  tool: Tool;
  /** Undefined if nobody was asked yet. */
  pin: Pin | undefined;
};

export type Catalogue = {
  /** Lists the tools now. `more`: what the protocol needs besides the tools. */
  list(meta: JsonObject): Promise<{ shelves: readonly Shelf[]; more: JsonObject }>;
  /** The tool as it is now; undefined if there is none, or if two have this name. */
  find(name: string, meta: JsonObject): Promise<Shelf | undefined>;
  /** Asks people to accept it, unless they were asked before. */
  ask(shelf: Shelf): Promise<Pin["approvalId"] | undefined>;
  /** What the last list said may no longer be true. */
  forget(): void;
  /** Reads again what people answered. True if something was accepted or refused since. */
  readAnswers(): Promise<boolean>;
  tools(): readonly Tool[];
  /** People were asked about one of the tools and have not answered. */
  isWaiting(): boolean;
};

/** An upstream that changes its tools without saying so is noticed after this time. */
const LIST_VALID_MS = 30_000;
const PAGES_MAX = 1_000;
const LISTS_MAX = 20;

type Listed = { tools: Map<string, Tool>; more: JsonObject; atMs: number };

type State = {
  deps: Deps;
  upstream: Upstream;
  told(text: string): void;
  listed: Listed | undefined;
  listing: Promise<Listed> | undefined;
  pins: Pins | undefined;
  /** Counts what made a list worthless. */
  round: number;
};

export function catalogueOf(deps: Deps, upstream: Upstream, told: (text: string) => void): Catalogue {
  const state: State = { deps, upstream, told, listed: undefined, listing: undefined, pins: undefined, round: 0 };
  return {
    list: async (meta) => {
      state.pins = undefined;
      const { tools, more } = await refresh(state, meta);
      const pins = await pinsOf(state);
      return { shelves: [...tools.values()].map((tool) => ({ tool, pin: pins.of(tool.offer) })), more };
    },
    find: async (name, meta) => {
      const { listed } = state;
      const tool = (listed === undefined || isOld(listed) ? await current(state, meta) : listed).tools.get(name);
      if (tool === undefined) return undefined;
      return { tool, pin: (state.pins ?? (await pinsOf(state))).of(tool.offer) };
    },
    ask: async ({ tool, pin }) => {
      if (pin !== undefined) return pin.approvalId;
      const { approvalId } = await askForPin(deps, tool.offer, (await pinsOf(state)).before(tool.offer));
      state.pins = undefined;
      return approvalId;
    },
    forget: () => {
      state.round += 1;
      state.listed = undefined;
    },
    readAnswers: async () => {
      const [before, after] = [state.pins, await readPins(deps, upstream.name)];
      state.pins = after;
      return before !== undefined && statesIn(before) !== statesIn(after);
    },
    tools: () => [...(state.listed?.tools.values() ?? [])],
    isWaiting: () => state.pins === undefined || state.pins.all.some((pin) => pin.state === "asked"),
  };
}

async function pinsOf(state: State): Promise<Pins> {
  state.pins ??= await readPins(state.deps, state.upstream.name);
  return state.pins;
}

async function refresh(state: State, meta: JsonObject): Promise<Listed> {
  for (let tries = 0; tries < LISTS_MAX; tries++) {
    const mine = state.round;
    const { tools, more } = await listTools(state.upstream, meta, state.told);
    // Something changed while the pages were read: what was read belongs to neither state.
    if (mine !== state.round) continue;
    state.listed = { tools, more, atMs: Date.now() };
    await askAboutChanges(state.deps, await pinsOf(state), [...tools.values()]);
    return state.listed ?? { tools, more, atMs: 0 };
  }
  throw new Error(`the MCP server ${state.upstream.name} changes its tools all the time`);
}

/** Calls that come at the same time share one list. */
function current(state: State, meta: JsonObject): Promise<Listed> {
  state.listing ??= refresh(state, meta).finally(() => {
    state.listing = undefined;
  });
  return state.listing;
}

function isOld({ atMs }: Listed): boolean {
  return Date.now() - atMs >= LIST_VALID_MS;
}

function statesIn({ all }: Pins): string {
  return all.map(({ approvalId, state }) => `${approvalId} ${state}`).join("\n");
}

/** A definition that was accepted in another form is a reason to ask at once: somebody changed what agents use. */
async function askAboutChanges(deps: Deps, pins: Pins, tools: readonly Tool[]): Promise<void> {
  const changed = tools.filter(({ offer }) => pins.of(offer) === undefined && pins.before(offer) !== undefined);
  for (const { offer } of changed) await askForPin(deps, offer, pins.before(offer));
}

/** All pages. Of two tools with one name neither is listed: nobody could tell which of them a call means. */
async function listTools(upstream: Upstream, meta: JsonObject, told: (text: string) => void) {
  const tools = new Map<string, Tool>();
  const twice = new Set<string>();
  let more: JsonObject = {};
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await upstream.ask("tools/list", { ...meta, ...(cursor === undefined ? {} : { cursor }) });
    if (!answer.ok) {
      if (answer.error["code"] === -32601) return { tools, more };
      throw new Error(`the MCP server ${upstream.name} does not list its tools: ${String(answer.error["message"])}`);
    }
    const { tools: list, nextCursor, capabilities: _, ...rest } = answer.result;
    // No pin is about what stands beside the tools.
    if (page === 0) more = withoutWords(upstream.name, rest);
    for (const one of Array.isArray(list) ? list : []) {
      const tool = toolIn(upstream, one, answer.result);
      const bad = tool === undefined ? "it has no name" : badName(tool.name);
      if (tool === undefined || bad !== undefined) told(`a tool of ${upstream.name} is not offered: ${bad}\n`);
      else if (tools.has(tool.name)) twice.add(tool.name);
      else tools.set(tool.name, tool);
    }
    if (typeof nextCursor !== "string") break;
    cursor = nextCursor;
  }
  for (const name of twice) {
    told(`the tool ${name} of ${upstream.name} is not offered: two tools have this name\n`);
    tools.delete(name);
  }
  return { tools, more };
}
