// The rules of Block Kit, as far as our messages and forms use it: which parts there are, and how long they may be.

// biome-ignore lint/suspicious/noExplicitAny: the service reads whatever it was sent
export type Json = any;

const BLOCKS_MAX = 50;

/** Why Slack would refuse these blocks of a message; undefined if it would accept them. */
export function blockFault(blocks: readonly Json[]): string | undefined {
  if (!Array.isArray(blocks)) return "blocks is no list";
  if (blocks.length > BLOCKS_MAX) return "no more than 50 items allowed";
  const ids: string[] = blocks.flatMap((block) => (block.elements ?? []).map((one: Json) => one.action_id));
  const known = ids.filter((id) => id !== undefined);
  if (new Set(known).size !== known.length) return "action_id is there twice";
  return first(blocks, blockOf);
}

function blockOf(block: Json): string | undefined {
  switch (block.type) {
    case "header":
      return keysFault(block, ["type", "text"]) ?? plainFault(block.text, 150);
    case "rich_text":
      if (!Array.isArray(block.elements) || block.elements.length === 0) return "rich_text has no elements";
      return keysFault(block, ["type", "elements"]) ?? first(block.elements, richFault);
    case "actions":
      if (!Array.isArray(block.elements) || block.elements.length === 0) return "actions has no elements";
      return block.elements.length > 25 ? "too many buttons" : first(block.elements, buttonFault);
    default:
      return `unsupported type: ${block.type}`;
  }
}

function richFault({ type, elements, ...rest }: Json): string | undefined {
  if (!["rich_text_section", "rich_text_preformatted", "rich_text_quote"].includes(type))
    return `no such part: ${type}`;
  if (Object.keys(rest).length > 0 || !Array.isArray(elements)) return "a part of rich text is malformed";
  return first(elements, (one: Json) => {
    if (one.type !== "text" || typeof one.text !== "string") return `no such element: ${one.type}`;
    if (one.text.length < 1 || one.text.length > 3000) return `a text has ${one.text.length} characters`;
    return type === "rich_text_preformatted"
      ? keysFault(one, ["type", "text"])
      : keysFault(one, ["type", "text", "style"]);
  });
}

function buttonFault(button: Json): string | undefined {
  const fault =
    keysFault(button, ["type", "action_id", "text", "value", "url", "style"]) ?? plainFault(button.text, 75);
  if (fault !== undefined) return fault;
  if (button.type !== "button" || button.action_id.length > 255) return "this is no button";
  if (button.value !== undefined && button.value.length > 2000) return "the value is too long";
  if (button.url !== undefined && (button.url.length > 3000 || !URL.canParse(button.url))) return "the url is wrong";
  return button.style === undefined || ["primary", "danger"].includes(button.style) ? undefined : "no such style";
}

/** Why Slack would refuse to open this view or to show it. */
export function viewFault(view: Json): string | undefined {
  const keys = ["type", "title", "submit", "close", "blocks", "private_metadata", "callback_id"];
  const wrong = keysFault(view, keys) ?? plainFault(view.title, 24) ?? plainFault(view.close, 24);
  if (wrong !== undefined) return wrong;
  if (view.type !== "modal" || (view.private_metadata ?? "").length > 3000) return "the view is malformed";
  const inputs = view.blocks.filter((block: Json) => block.type === "input");
  if (inputs.length > 0 && view.submit === undefined) return "a view with fields needs submit";
  if (view.submit !== undefined && plainFault(view.submit, 24) !== undefined) return "submit is malformed";
  return (
    first(inputs, inputFault) ??
    first(
      view.blocks.filter((block: Json) => block.type !== "input"),
      blockOf,
    )
  );
}

function inputFault({ label, element, block_id }: Json): string | undefined {
  if (typeof block_id !== "string" || block_id.length > 255) return "the block has no id";
  return plainFault(label, 2000) ?? elementFault(element);
}

function elementFault({ type, action_id, ...rest }: Json): string | undefined {
  if (typeof action_id !== "string" || action_id.length > 255) return "the field has no id";
  switch (type) {
    case "plain_text_input":
      if (!(rest.max_length >= 1 && rest.max_length <= 3000)) return "must be between 1 and 3000 characters";
      return keysFault(rest, ["multiline", "max_length", "focus_on_load"]);
    case "radio_buttons":
      return keysFault(rest, ["options"]) ?? optionsFault(rest.options, 10);
    case "static_select":
      return keysFault(rest, ["options"]) ?? optionsFault(rest.options, 100);
    default:
      return `no such field: ${type}`;
  }
}

function optionsFault(options: readonly Json[], max: number): string | undefined {
  if (options.length < 1 || options.length > max) return `must have between 1 and ${max} options`;
  if (new Set(options.map(({ value }) => value)).size !== options.length) return "an option is there twice";
  return first(options, (one) => {
    const wrong = keysFault(one, ["text", "value"]) ?? plainFault(one.text, 75);
    return wrong ?? (one.value.length < 1 || one.value.length > 150 ? "the value of an option is too long" : undefined);
  });
}

function plainFault(text: Json, max: number): string | undefined {
  if (text?.type !== "plain_text" || typeof text.text !== "string") return "plain_text is missing";
  return text.text.length < 1 || text.text.length > max ? `must be between 1 and ${max} characters` : undefined;
}

function keysFault(value: Json, keys: readonly string[]): string | undefined {
  const other = Object.keys(value).find((key) => !keys.includes(key));
  return other === undefined ? undefined : `invalid additional property: ${other}`;
}

function first(list: readonly Json[], look: (one: Json) => string | undefined): string | undefined {
  for (const one of list) {
    const fault = look(one);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Every text of a message that a person sees, and the addresses of its buttons. */
export function textsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if ((key === "text" || key === "url") && typeof one === "string") return [one];
    return textsIn(one);
  });
}
