import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-api";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Every file git knows or would add, so that a forgotten file counts too. */
export function projectFiles(): string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  // Git still lists files that were deleted but not committed.
  return [...new Set(listed.split("\n"))].filter((path) => path !== "" && existsSync(join(root, path))).sort();
}

export type Source = { path: string; text: string; tree: ts.SourceFile };

export function sources(files: readonly string[]): Source[] {
  return files
    .filter((path) => path.endsWith(".ts"))
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true) };
    });
}

/** What a file imports: relative ones as paths from the root, others by name. Type-only imports count too. */
export function importsOf(source: Source): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    const named = (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier;
    if (named && ts.isStringLiteral(named)) found.push(named.text);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [first] = node.arguments;
      if (first !== undefined && ts.isStringLiteral(first)) found.push(first.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source.tree);
  return found.map((name) => (name.startsWith(".") ? normalize(join(dirname(source.path), name)) : name));
}

export type Sized = { name: string; lines: number };

/** Functions and methods with their lines; a function that only contains others is measured without them. */
export function functionsOf(source: Source): Sized[] {
  const found: Sized[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      found.push({ name: nameOf(node), lines: linesOf(source, node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source.tree);
  return found;
}

function linesOf(source: Source, node: ts.Node): number {
  const start = source.tree.getLineAndCharacterOfPosition(node.getStart()).line;
  return source.tree.getLineAndCharacterOfPosition(node.getEnd()).line - start + 1;
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name !== undefined) return node.name.getText();
  return ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : "(anonymous)";
}

/** Types, functions and constants that a file exports. */
export function exportedNames(source: Source): string[] {
  return source.tree.statements.flatMap((node) => {
    const exported =
      ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword);
    if (!exported) return [];
    if (ts.isVariableStatement(node)) return node.declarationList.declarations.map((one) => one.name.getText());
    const { name } = node as { name?: ts.Node };
    return name === undefined ? [] : [name.getText()];
  });
}

/** Members that are conditionally spread into an object, `...(x === undefined ? {} : { x })`, by their function. */
export function conditionalSpreads(source: Source): { path: string; name: string }[] {
  const found: { path: string; name: string }[] = [];
  const visit = (node: ts.Node, within: string) => {
    const name = ts.isFunctionDeclaration(node) ? nameOf(node) : within;
    if (ts.isSpreadAssignment(node)) {
      const spread = ts.isParenthesizedExpression(node.expression) ? node.expression.expression : node.expression;
      if (ts.isConditionalExpression(spread)) found.push({ path: source.path, name });
    }
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(source.tree, "the file");
  return found;
}
