// The practical limit: hand-written maps and tries for this one workload, which return only a tier.
import { AGENTS, CLASSES, TIERS } from "./decide-workload.mjs";

const SILENT = TIERS.length;
const AGENT = new Map(AGENTS.map((name, i) => [name, i]));
const CLASS = new Map(CLASSES.map((name, i) => [name, i]));

class Slot {
  all = SILENT;
  own = null;
  add(agent, tier) {
    if (agent === undefined) this.all = Math.min(this.all, tier);
    else {
      this.own ??= new Int8Array(AGENTS.length).fill(SILENT);
      const i = AGENT.get(agent);
      this.own[i] = Math.min(this.own[i], tier);
    }
  }
}

class Node {
  kids = null;
  slot = null;
  middles = null;
}

function kidOf(node, key) {
  node.kids ??= new Map();
  let kid = node.kids.get(key);
  if (kid === undefined) {
    kid = new Node();
    node.kids.set(key, kid);
  }
  return kid;
}

function slotIn(map, key) {
  let slot = map.get(key);
  if (slot === undefined) {
    slot = new Slot();
    map.set(key, slot);
  }
  return slot;
}

export function compileLimit(workload) {
  const width = CLASSES.length;
  const base = new Int8Array(AGENTS.length * width);
  const byAgent = new Uint8Array(AGENTS.length * width);
  for (const [agent, a] of AGENT) {
    for (const [name, c] of CLASS) {
      const own = workload.agentClassTiers.get(`${agent} ${name}`);
      const classTier = workload.classTiers.get(name);
      const general = classTier === "deny" ? undefined : workload.agentTiers.get(agent);
      base[a * width + c] = TIERS.indexOf(own ?? general ?? classTier ?? workload.tier);
      byAgent[a * width + c] = own !== undefined || general !== undefined ? 1 : 0;
    }
  }
  const roots = CLASSES.map(() => null);
  const lasts = CLASSES.map(() => null);
  for (const rule of workload.rules) {
    const c = CLASS.get(rule.class);
    const tier = TIERS.indexOf(rule.tier);
    if (rule.shape === "file" || rule.shape === "ending") {
      lasts[c] ??= new Map();
      slotIn(lasts[c], rule.last).add(rule.agent, tier);
      continue;
    }
    roots[c] ??= new Node();
    let node = roots[c];
    for (const key of rule.words ?? rule.prefix.slice(1).split("/")) node = kidOf(node, key);
    if (rule.shape === "middle") {
      node.middles ??= new Map();
      slotIn(node.middles, `/${rule.middle}/`).add(rule.agent, tier);
    } else {
      node.slot ??= new Slot();
      node.slot.add(rule.agent, tier);
    }
  }
  let own = SILENT;
  let all = SILENT;
  const see = (slot, a) => {
    if (slot.all < all) all = slot.all;
    if (slot.own !== null && slot.own[a] < own) own = slot.own[a];
  };
  const walkWords = (node, words, a) => {
    for (let i = 0; i < words.length && node.kids !== null; i++) {
      const kid = node.kids.get(words[i]);
      if (kid === undefined) return;
      node = kid;
      if (node.slot !== null) see(node.slot, a);
    }
  };
  const walkPath = (node, path, a) => {
    let from = 1;
    while (node.kids !== null) {
      const slash = path.indexOf("/", from);
      const kid = node.kids.get(slash < 0 ? path.slice(from) : path.slice(from, slash));
      if (kid === undefined) return;
      node = kid;
      if (node.slot !== null) see(node.slot, a);
      if (slash < 0) return;
      from = slash + 1;
      if (node.middles !== null)
        for (const [middle, slot] of node.middles) if (path.indexOf(middle, from - 1) >= 0) see(slot, a);
    }
  };
  const walkLast = (map, path, a) => {
    const start = path.lastIndexOf("/") + 1;
    const file = map.get(path.slice(start));
    if (file !== undefined) see(file, a);
    for (let dot = path.indexOf(".", start); dot >= 0; dot = path.indexOf(".", dot + 1)) {
      const slot = map.get(path.slice(dot));
      if (slot !== undefined) see(slot, a);
    }
  };
  return (call) => {
    const a = AGENT.get(call.agent);
    const c = CLASS.get(call.class);
    own = SILENT;
    all = SILENT;
    if (call.words !== undefined) {
      if (roots[c] !== null) walkWords(roots[c], call.words, a);
    } else if (call.path !== undefined) {
      if (roots[c] !== null) walkPath(roots[c], call.path, a);
      if (lasts[c] !== null) walkLast(lasts[c], call.path, a);
    }
    const at = a * width + c;
    if (own === SILENT && byAgent[at] === 1) own = base[at];
    const said = Math.min(own, all);
    return said === SILENT ? base[at] : said;
  };
}
