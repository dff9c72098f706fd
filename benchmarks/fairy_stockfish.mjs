// Fairy-Stockfish, which npm brings as WebAssembly, as a UCI engine on standard input and output.
//
//     node fairy_stockfish.mjs FOLDER VARIANTS
//
// FOLDER is where npm has put it, VARIANTS a file with the rules of a variant. The engine sees
// only a disk of its own in memory, so that file is copied there before the first command.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { resolve } from "node:path";

const [folder, variants] = process.argv.slice(2);
delete globalThis.fetch; // else it would fetch its own code from the web instead of the disk

const require = createRequire(import.meta.url);
const start = require(resolve(folder, "node_modules", "fairy-stockfish-nnue.wasm", "stockfish.js"));
const engine = await start();
engine.addMessageListener((line) => console.log(line));
engine.FS.writeFile("/variants.ini", readFileSync(variants));
engine.postMessage("setoption name VariantPath value /variants.ini");

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "quit") break;
  engine.postMessage(line);
}
process.exit(0);
