// Makes one program of the compiled command line: `node tools/bundle.mjs FOLDER` writes FOLDER/program from FOLDER/cli.
// A command is started hundreds of times a day, and most of its start was opening four hundred files.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

const [folder = "dist"] = process.argv.slice(2);
const isOwn = (id) => id.startsWith(".") || id.startsWith("/") || /^[A-Za-z]:\\/.test(id);
const program = await rolldown({
  input: join(folder, "cli", "main.js"),
  platform: "node",
  // What others wrote stays theirs, with its licence and its own updates.
  external: (id) => !isOwn(id),
});
const to = join(folder, "program");
rmSync(to, { recursive: true, force: true });
// As deep as the files it is made of, because they find the policies and the pages' assets from where they lie.
await program.write({ dir: to, format: "esm", entryFileNames: "main.js" });
await program.close();
