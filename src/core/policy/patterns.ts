import { type PolicyShape, refine, text } from "./shape.ts";

// Patterns that could never match anything are refused here: a rule that is not there looks just like one that holds.

export const pathPattern = checked("a path pattern", [
  { wrong: /[^/]\*\*|\*\*[^/]/, why: "`**` stands alone between slashes", fix: "src/**, **/secrets" },
  { wrong: /\\/, why: "folders are separated by slashes", fix: "src/**, /etc/hosts, ~/.ssh/**" },
  { wrong: /(^|\/)\.\.?(\/|$)/, why: "a pattern is matched against resolved paths", fix: "src/** without `.` or `..`" },
]);

export const commandPattern = checked("a command pattern", [
  {
    wrong: /[;|&<>`]|\$\(/,
    why: "each simple command is judged alone",
    fix: "one rule per command, its words separated by spaces",
  },
  { wrong: /(^|\s)\*\s+\S/, why: "a lone `*` stands for any rest, so it comes last", fix: "git push --force *" },
]);

export const domainPattern = checked("a domain pattern", [
  { wrong: /[/@\s?#]/, why: "only the host counts", fix: "api.github.com, *.github.com, *" },
  { wrong: /(?!^)\*|\*(?!\.|$)/, why: "`*` stands alone or before the first dot", fix: "*.github.com" },
  {
    wrong: /^\.|\.\.|\.$/,
    why: "every part between dots has a name",
    fix: "example.com, *.example.com for all below it",
  },
  { wrong: /^[^:]+:\d*$/, why: "a host is compared without its port", fix: "api.github.com" },
  { wrong: /[^ -~]/, why: "a host is compared in its ASCII form", fix: "write xn--… for an international name" },
]);

export const mcpPattern = checked("an MCP pattern", [
  { wrong: /^[^/]*$|\/.*\//, why: "it names a server and a tool", fix: "github/create_issue, github/*" },
]);

function checked(what: string, tests: readonly { wrong: RegExp; why: string; fix: string }[]): PolicyShape<string> {
  return refine(text(what), (pattern, tree, faults) => {
    const failed = tests.find((test) => test.wrong.test(pattern));
    if (failed === undefined) return pattern;
    faults.add(tree.at, `\`${pattern}\` can never match: ${failed.why}`, `expected something like ${failed.fix}`);
    return undefined;
  });
}
