import { readFileSync } from "node:fs";
import { operate } from "./operations.ts";

// The program that is rehearsed: performs the operations of a file in the present folder.

process.stdout.write(operate(".", JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))));
