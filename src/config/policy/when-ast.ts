/** An expression as the CEL library parsed it: an operator and its arguments, which are nodes, names or values. */
export type Ast = { op: string; args: unknown };

/** The macros that loop over a list. `has` checks one field and does not loop. */
const MACROS = ["exists", "exists_one", "all", "filter", "map"];

export function callsIn(ast: Ast): string[] {
  return nodes(ast).flatMap((node) => nameOfCall(node) ?? []);
}

export function usesMacro(ast: Ast): boolean {
  return callsIn(ast).some((name) => MACROS.includes(name));
}

/** A macro inside another macro; one after the other (`a.filter(…).exists(…)`) is allowed. */
export function nestedMacro(ast: Ast): string | undefined {
  for (const node of nodes(ast)) {
    if (node.op !== "rcall" || !Array.isArray(node.args) || !MACROS.includes(String(node.args[0]))) continue;
    const inner = callsIn({ op: "list", args: node.args[2] }).find((name) => MACROS.includes(name));
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** The pattern of every `re2`, or undefined if it is not a literal text. */
export function patternsOf(ast: Ast): (string | undefined)[] {
  return nodes(ast)
    .filter((node) => nameOfCall(node) === "re2")
    .map((node) => {
      const given = Array.isArray(node.args) ? (node.args[1] as unknown) : undefined;
      const pattern = Array.isArray(given) ? given[1] : undefined;
      return isAst(pattern) && pattern.op === "value" && typeof pattern.args === "string" ? pattern.args : undefined;
    });
}

/**
 * Everything except `call.field` with a field other than `claims` counts, because `call` as a whole contains the
 * claims.
 */
export function readsClaims(ast: Ast): boolean {
  const uses = nodes(ast).filter((node) => node.op === "id" && node.args === "call").length;
  const plain = nodes(ast).filter(
    (node) => node.op === "." && Array.isArray(node.args) && isCall(node.args[0]) && node.args[1] !== "claims",
  ).length;
  return uses !== plain;
}

/** An expression that does not use `effect` has the same result for every part of a call. */
export function readsEffect(ast: Ast): boolean {
  return nodes(ast).some((node) => node.op === "id" && node.args === "effect");
}

function isCall(value: unknown): boolean {
  return isAst(value) && value.op === "id" && value.args === "call";
}

function nameOfCall(node: Ast): string | undefined {
  return (node.op === "call" || node.op === "rcall") && Array.isArray(node.args) ? String(node.args[0]) : undefined;
}

function nodes(ast: Ast): Ast[] {
  const found: Ast[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isAst(value)) return;
    found.push(value);
    visit(value.args);
  };
  visit(ast);
  return found;
}

function isAst(value: unknown): value is Ast {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}
