/* Without an editor: the pure part, the manifest against the server's settings, and the bundle. */
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { buildSync } from "esbuild";

const built = buildSync({ entryPoints: ["src/launch.ts"], bundle: true, format: "esm", write: false });
const source = `data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`;
const { command, splitArguments } = await import(source);
const manifest = JSON.parse(readFileSync("package.json", "utf8"));

test("a line of arguments is split as a shell would", () => {
  assert.deepEqual(splitArguments(`--epochs 1  --name "two words" 'it''s' a\\ b ""`), [
    "--epochs", "1", "--name", "two words", "its", "a b", "",
  ]);
  assert.deepEqual(splitArguments("   "), []);
});

test("the server is started in the interpreter that runs the scripts", () => {
  assert.deepEqual(command("/opt/py/bin/python"), { command: "/opt/py/bin/python", args: ["-m", "shapewright", "lsp"] });
});

test("every command of the manifest is registered, and the bundle holds it", () => {
  const code = readFileSync("src/extension.ts", "utf8");
  const bundle = readFileSync(manifest.main, "utf8");
  for (const { command: name } of manifest.contributes.commands) {
    assert.ok(code.includes(`registerCommand("${name}"`), name);
    assert.ok(bundle.includes(name), name);
  }
  assert.ok(statSync(manifest.main).size > 10_000);
});

test("the settings are those that the server reads", () => {
  const options = readFileSync("../../src/shapewright/editor/options.py", "utf8");
  const read = [...options.matchAll(/^    (\w+): .* = /gm)].map((found) => found[1]).sort();
  const offered = Object.keys(manifest.contributes.configuration.properties).map((name) => name.split(".")[1]);
  assert.deepEqual(offered.sort(), read);
});
