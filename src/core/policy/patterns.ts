import { type Message, say } from "../messages/message.ts";
import { type PolicyShape, refine, type Thing, text } from "./shape.ts";

// Refuses patterns that could never match: a rule without effect looks just like one that works.

export const pathPattern = checked("thing.path_pattern", [
  { wrong: /[^/]\*\*|\*\*[^/]/, why: say("pattern.double_star"), fix: like("src/**", "**/secrets") },
  { wrong: /\\/, why: say("pattern.backslash"), fix: like("src/**", "/etc/hosts", "~/.ssh/**") },
  { wrong: /(^|\/)\.\.?(\/|$)/, why: say("pattern.dots"), fix: say("pattern.without_dots") },
]);

export const commandPattern = checked("thing.command_pattern", [
  { wrong: /[;|&<>`]|\$\(/, why: say("pattern.shell_signs"), fix: say("pattern.one_command") },
  { wrong: /(^|\s)\*\s+\S/, why: say("pattern.star_not_last"), fix: like("git push --force *") },
]);

export const domainPattern = checked("thing.domain_pattern", [
  { wrong: /[/@\s?#]/, why: say("pattern.only_host"), fix: like("api.github.com", "*.github.com", "*") },
  { wrong: /(?!^)\*|\*(?!\.|$)/, why: say("pattern.star_in_host"), fix: like("*.github.com") },
  { wrong: /^\.|\.\.|\.$/, why: say("pattern.empty_label"), fix: say("pattern.hosts_below") },
  { wrong: /^[^:]+:\d*$/, why: say("pattern.port"), fix: like("api.github.com") },
  { wrong: /[^ -~]/, why: say("pattern.not_ascii"), fix: say("pattern.punycode") },
]);

export const mcpPattern = checked("thing.mcp_pattern", [
  { wrong: /^[^/]*$|\/.*\//, why: say("pattern.mcp"), fix: like("github/create_issue", "github/*") },
]);

function checked(what: Thing, tests: readonly { wrong: RegExp; why: Message; fix: Message }[]): PolicyShape<string> {
  return refine(text(what), (pattern, tree, faults) => {
    const failed = tests.find((test) => test.wrong.test(pattern));
    if (failed === undefined) return pattern;
    faults.add(tree.at, say("pattern.never_matches", { pattern, why: failed.why }), failed.fix);
    return undefined;
  });
}

function like(...examples: readonly string[]): Message {
  return say("pattern.for_example", { examples });
}
