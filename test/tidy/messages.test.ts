import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript-api";
import { expect, test } from "vitest";

// `textOf` turns a message into text. In a template string it would print as an object, and the compiler does not report that.

const root = join(import.meta.dirname, "../..");

test("no message is put into a template string, added to a text or joined with others as text", () => {
  const program = programOf("tsconfig.json");
  const checker = program.getTypeChecker();
  const shipped = program.getSourceFiles().filter(({ fileName }) => /\/src\/(?!.*\.test\.ts$)/.test(fileName));
  expect(shipped.length).toBeGreaterThan(500);
  expect(shipped.filter((file) => !file.isDeclarationFile).flatMap((file) => misused(file, checker))).toEqual([]);
}, 120_000);

test.for(["en", "zh"])(
  "no id of a sentence is in two files, where one would silently replace the other (%s)",
  async (language) => {
    const folder = join(root, "src/core/messages", language);
    const files = readdirSync(folder).filter((name) => name !== "messages.ts");
    const ids: string[] = [];
    for (const name of files) {
      const tables: Record<string, object> = await import(join(folder, name));
      ids.push(...Object.values(tables).flatMap((table) => Object.keys(table)));
    }
    expect(ids.length).toBeGreaterThan(500);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  },
);

function programOf(config: string): ts.Program {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const parsed = ts.getParsedCommandLineOfConfigFile(join(root, config), {}, host);
  if (parsed === undefined) throw new Error(`${config} could not be read`);
  return ts.createProgram(parsed.fileNames, parsed.options);
}

function misused(file: ts.SourceFile, checker: ts.TypeChecker): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (usedAsText(node, checker).some(mayBeMessage)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${file.fileName.slice(root.length + 1)}:${line + 1}: ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The types of values that are turned into text here implicitly. */
function usedAsText(node: ts.Node, checker: ts.TypeChecker): readonly ts.Type[] {
  const typesOf = (...nodes: readonly ts.Node[]) => nodes.map((one) => checker.getTypeAtLocation(one));
  if (ts.isTemplateSpan(node)) return ts.isTaggedTemplateExpression(node.parent.parent) ? [] : typesOf(node.expression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return typesOf(node.left, node.right);
  if (!ts.isCallExpression(node)) return [];
  if (node.expression.getText() === "String") return typesOf(...node.arguments);
  const { expression: called } = node;
  if (!ts.isPropertyAccessExpression(called) || called.name.text !== "join") return [];
  const item = checker.getIndexTypeOfType(checker.getTypeAtLocation(called.expression), ts.IndexKind.Number);
  return item === undefined ? [] : [item];
}

function mayBeMessage(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(mayBeMessage);
  return type.getProperty("say") !== undefined && type.getProperty("with") !== undefined;
}
