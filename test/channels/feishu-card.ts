// What Feishu accepts as a card (card JSON 2.0), as far as its documentation says: anything else is an error here.

type Node = Record<string, unknown>;

const TEXT_KEYS = ["tag", "content", "text_size", "text_color", "text_align", "lines"];
const KEYS: Record<string, readonly string[]> = {
  div: ["tag", "element_id", "margin", "width", "text", "icon"],
  hr: ["tag", "element_id", "margin"],
  column_set: ["tag", "element_id", "margin", "flex_mode", "background_style", "horizontal_spacing", "columns"],
  column: [
    "tag",
    "element_id",
    "width",
    "weight",
    "padding",
    "margin",
    "vertical_spacing",
    "background_style",
    "elements",
  ],
  form: ["tag", "element_id", "name", "margin", "padding", "direction", "vertical_spacing", "elements"],
  input: ["tag", "element_id", "name", "required", "placeholder", "max_length", "input_type", "rows", "width", "label"],
  collapsible_panel: ["tag", "element_id", "margin", "padding", "expanded", "header", "background_color", "elements"],
  select_static: ["tag", "element_id", "name", "type", "required", "placeholder", "width", "options"],
  button: ["tag", "element_id", "name", "type", "size", "width", "text", "behaviors", "form_action_type", "confirm"],
};
const BUTTON_TYPES = [
  "default",
  "primary",
  "danger",
  "text",
  "primary_text",
  "danger_text",
  "primary_filled",
  "danger_filled",
  "laser",
];
const TEMPLATES = [
  "blue",
  "wathet",
  "turquoise",
  "green",
  "yellow",
  "orange",
  "red",
  "carmine",
  "violet",
  "purple",
  "indigo",
  "grey",
  "default",
];
const COMPONENTS_MAX = 200;

/** What a person sees of a card: its texts and addresses, and what its buttons send. */
export type SeenCard = {
  texts: string[];
  urls: string[];
  callbacks: Node[];
  inputs: string[];
  choices: Record<string, string[]>;
};
type Seeing = SeenCard & { names: Set<string>; count: number };

/** Throws the first thing that Feishu would refuse. */
export function seenCard(card: unknown): SeenCard {
  const seen: Seeing = { texts: [], urls: [], callbacks: [], inputs: [], choices: {}, names: new Set(), count: 0 };
  const root = nodeOf(card, "the card");
  only(root, ["schema", "config", "header", "body", "card_link"], "the card");
  must(root["schema"] === "2.0", "schema is not 2.0");
  const config = nodeOf(root["config"], "config");
  only(config, ["update_multi", "summary", "enable_forward", "width_mode", "streaming_mode"], "config");
  must(config["update_multi"] === true, "update_multi is not true");
  if (root["header"] !== undefined) {
    const header = nodeOf(root["header"], "header");
    only(header, ["title", "subtitle", "template", "icon", "padding", "text_tag_list"], "header");
    must(TEMPLATES.includes(String(header["template"])), `no template ${header["template"]}`);
    text(header["title"], seen);
  }
  for (const element of list(nodeOf(root["body"], "body")["elements"])) visit(element, seen, { isRoot: true });
  must(seen.count <= COMPONENTS_MAX, "more than 200 components");
  return seen;
}

type In = { isRoot?: true; form?: { submits: number } };

function visit(value: unknown, seen: Seeing, within: In): void {
  seen.count += 1;
  const node = nodeOf(value, "an element");
  const tag = String(node["tag"]);
  const keys = KEYS[tag];
  must(keys !== undefined, `unknown tag ${tag}`);
  only(node, keys ?? [], tag);
  const { form } = within;
  const inside: In = form === undefined ? {} : { form };
  if (tag === "div") text(node["text"], seen);
  if (tag === "column_set") for (const column of list(node["columns"])) visit(column, seen, inside);
  if (tag === "column") for (const element of list(node["elements"])) visit(element, seen, inside);
  if (tag === "form") visitForm(node, seen, within);
  if (tag === "input") {
    must(form !== undefined, "an input outside of a form sends a callback for every change");
    named(node, seen);
    must(Number(node["max_length"]) <= 1000, "max_length is over 1000");
    text(node["placeholder"], seen);
    seen.inputs.push(String(node["name"]));
  }
  if (tag === "select_static") visitSelect(node, seen, form);
  if (tag === "collapsible_panel") {
    text(nodeOf(node["header"], "the header of a panel")["title"], seen);
    for (const element of list(node["elements"])) visit(element, seen, inside);
  }
  if (tag === "button") visitButton(node, seen, form);
}

function visitForm(node: Node, seen: Seeing, { isRoot }: In): void {
  must(isRoot === true, "a form is not at the root of the card");
  named(node, seen);
  const form = { submits: 0 };
  for (const element of list(node["elements"])) visit(element, seen, { form });
  must(form.submits > 0, "a form without a button that submits it");
}

function visitSelect(node: Node, seen: Seeing, form: In["form"]): void {
  must(form !== undefined, "a choice outside of a form sends a callback for every change");
  named(node, seen);
  text(node["placeholder"], seen);
  const options = list(node["options"]).map((one) => nodeOf(one, "an option"));
  must(options.length > 0, "a choice without options");
  for (const option of options) {
    only(option, ["text", "value", "icon"], "an option");
    text(option["text"], seen);
  }
  seen.choices[String(node["name"])] = options.map(({ value }) => String(value));
}

function visitButton(node: Node, seen: Seeing, form: In["form"]): void {
  must(BUTTON_TYPES.includes(String(node["type"])), `no type of button ${node["type"]}`);
  text(node["text"], seen);
  if (form !== undefined) {
    named(node, seen);
    must(node["form_action_type"] === "submit", "a button in a form does not submit it");
    form.submits += 1;
  }
  for (const value of list(node["behaviors"])) {
    const behavior = nodeOf(value, "a behavior");
    if (behavior["type"] === "open_url") {
      only(behavior, ["type", "default_url", "android_url", "ios_url", "pc_url"], "open_url");
      must(URL.canParse(String(behavior["default_url"])), "no address");
      seen.urls.push(String(behavior["default_url"]));
    } else {
      must(behavior["type"] === "callback", `no behavior ${behavior["type"]}`);
      only(behavior, ["type", "value"], "callback");
      seen.callbacks.push(nodeOf(behavior["value"], "the value of a callback"));
    }
  }
}

/** The name of a form and of everything in one is used once in the card. */
function named(node: Node, { names }: Seeing): void {
  const name = node["name"];
  must(typeof name === "string" && name !== "" && !names.has(name), `a name that is not unique: ${name}`);
  names.add(String(name));
}

function text(value: unknown, seen: Seeing): void {
  const node = nodeOf(value, "a text");
  only(node, TEXT_KEYS, "a text");
  // Markup would let an agent draw parts of a card.
  must(node["tag"] === "plain_text", `a text with markup: ${node["tag"]}`);
  must(typeof node["content"] === "string" && node["content"] !== "", "a text without content");
  seen.texts.push(String(node["content"]));
}

function nodeOf(value: unknown, what: string): Node {
  must(typeof value === "object" && value !== null && !Array.isArray(value), `${what} is no object`);
  return value as Node;
}

function list(value: unknown): readonly unknown[] {
  must(Array.isArray(value), "no list");
  return value as readonly unknown[];
}

function only(node: Node, keys: readonly string[], what: string): void {
  const other = Object.keys(node).find((key) => !keys.includes(key));
  must(other === undefined, `${what} has an unknown property ${other}`);
}

function must(holds: boolean, why: string): void {
  if (!holds) throw new Error(why);
}
