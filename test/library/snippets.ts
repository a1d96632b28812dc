import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import ts from "typescript-api";

export type Snippet = { page: string; line: number; info: string; text: string };

/** The TypeScript code blocks of a page. A missing page has none. */
export function snippetsOf(page: string): Snippet[] {
  if (!existsSync(page)) return [];
  const lines = readFileSync(page, "utf8").split("\n");
  const found: Snippet[] = [];
  let open: Snippet | undefined;
  lines.forEach((text, at) => {
    if (open === undefined && /^```ts\b/.test(text))
      open = { page, line: at + 1, info: text.slice(3).trim(), text: "" };
    else if (open !== undefined && text.startsWith("```")) {
      found.push(open);
      open = undefined;
    } else if (open !== undefined) open.text += `${text}\n`;
  });
  return found;
}

export type SnippetFile = Snippet & { file: string };

/** Each snippet as a module in a separate empty folder. */
export function written(snippets: readonly Snippet[]): SnippetFile[] {
  const folder = mkdtempSync(join(tmpdir(), "leeway-snippets-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  return snippets.map((snippet) => {
    const file = join(folder, `${basename(snippet.page, ".md")}-${snippet.line}.ts`);
    writeFileSync(file, `${snippet.text}\nexport {};\n`);
    return { ...snippet, file };
  });
}

/** The compiler's errors about the snippets, by page and line of the page. */
export function typeFaults(root: string, files: readonly SnippetFile[]): string[] {
  const program = ts.createProgram(
    files.map((snippet) => snippet.file),
    {
      target: ts.ScriptTarget.ES2023,
      lib: ["lib.es2023.d.ts", "lib.es2024.string.d.ts"],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: ["node"],
      typeRoots: [join(root, "node_modules", "@types")],
      paths: {
        leeway: [join(root, "src/index.ts")],
        "leeway/http": [join(root, "src/client/index.ts")],
        "leeway/testing": [join(root, "src/testing.ts")],
      },
      strict: true,
      exactOptionalPropertyTypes: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      noEmit: true,
    },
  );
  return files.flatMap((snippet) => {
    const source = program.getSourceFile(snippet.file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((fault) => {
      const line = source?.getLineAndCharacterOfPosition(fault.start ?? 0).line ?? 0;
      const text = ts.flattenDiagnosticMessageText(fault.messageText, "\n");
      return `${basename(snippet.page)}:${snippet.line + 1 + line}: ${text}`;
    });
  });
}
