// Prints a comment with the names, versions and licences of the bundled packages. All packages have the
// MIT licence, so its text is printed once, below the lines of copyright.

const { readFileSync, readdirSync } = require("node:fs");

const packages = JSON.parse(readFileSync("package-lock.json")).packages;
const bundled = Object.entries(packages).filter(([path, it]) => path && !it.dev && !it.optional);
const told = bundled.map(([path, { version, license }]) => {
  const file = readdirSync(path).find((name) => /^licen[cs]e/i.test(name));
  const text = readFileSync(`${path}/${file}`, "utf8");
  if (license !== "MIT" || !text.includes("Permission is hereby granted")) throw new Error(`${path} has another licence`);
  const copyright = text.match(/^Copyright.*$/m)[0];
  return { line: `${path.replace("node_modules/", "")} ${version}. ${copyright}`, text: text.slice(text.indexOf("Permission")) };
});
console.log(`/*! Made by codemirror/bundle.sh; do not edit. Parts of:\n\n${told.map(({ line }) => line).join("\n")}\n\nMIT License\n\n${told[0].text.trim()}\n*/`);
