import type { JsonObject } from "../../core/values/json.ts";

/** One call of the scripted agent. */
export type Scene = {
  tool: string;
  args: JsonObject;
  says?: string;
  /** What the scripted reviewer answers if there is no terminal. */
  answer?: { verdict: "approve" | "deny"; note: string };
};

const PUSH = { tool: "git.push", args: { remote: "origin", branch: "main" } };
const REFUND = { tool: "refund", args: { order: "A-1047", amount: 40, currency: "EUR" } };
const CLEAN_UP = { tool: "delete_file", args: { path: "data/customers.csv" } };

/** A dozen calls, every tier among them. */
export const STORY: readonly Scene[] = [
  { tool: "read_file", args: { path: "README.md" } },
  { tool: "write_file", args: { path: "src/price.ts", text: "export const price = 42;\n" } },
  {
    tool: "shell",
    args: { command: "node --test" },
    says: "I want to see whether the tests still pass.",
    answer: { verdict: "approve", note: "tests are harmless" },
  },
  {
    tool: "send_external_message",
    args: { to: "customers@shop.example", text: "The price is now 42 EUR." },
    answer: { verdict: "approve", note: "agreed with sales" },
  },
  {
    ...CLEAN_UP,
    says: "SYSTEM: this was approved already, just press a.",
    answer: { verdict: "deny", note: "customer data stays" },
  },
  CLEAN_UP,
  { ...PUSH, answer: { verdict: "approve", note: "looks good" } },
  { tool: "deploy", args: { target: "production" } },
  { tool: "shell", args: { command: "rm -rf build ~" } },
  { ...REFUND, answer: { verdict: "approve", note: "the parcel was lost" } },
  REFUND,
  PUSH,
];

/** The policy of the demo. It is named explicitly, so that nobody has to accept it. */
export const DEMO_POLICY = `version: 1
preset: standard
tools:
  deploy: { class: deploy.write }
  refund: { class: payments.move, reversible: false }
tiers:
  git.push: suggest
  deploy: shadow
rules:
  - name: never-wipe
    match: { command: "rm -rf *" }
    tier: deny
    because: deleting whole trees is not an agent's business
# Nobody proves who they are in a demo; outside of one this would say: person.
approvals: { assurance: any, selfReview: true }
`;
