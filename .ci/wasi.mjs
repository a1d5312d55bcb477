// `node wasi.mjs PROGRAM ARGUMENT…`: runs a program of WebAssembly that has the interface WASI, with all files of this machine.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [program, ...args], env: process.env, preopens: { "/": "/" } });
// The library for C of Debian has no threads, so none can begin: the number is that of the error "not supported".
const names = ["attr_init", "attr_setstacksize", "attr_destroy", "create", "join", "detach"];
const env = Object.fromEntries(names.map((name) => [`pthread_${name}`, () => 58]));
const { instance } = await WebAssembly.instantiate(await readFile(program), { ...wasi.getImportObject(), env });
process.exitCode = wasi.start(instance);
