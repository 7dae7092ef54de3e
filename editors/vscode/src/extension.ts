/* The extension starts `python -m shapewright lsp` and lets it do the work: here is only what a client must do. */
import * as vscode from "vscode";
import { Executable, LanguageClient, LanguageClientOptions } from "vscode-languageclient/node";
import { command, splitArguments } from "./launch";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("shapewright.checkFile", () => check()),
    vscode.commands.registerCommand("shapewright.checkWithArguments", () => checkWithArguments(context)),
    vscode.commands.registerCommand("shapewright.restart", () => restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("shapewright.interpreter")) {
        void restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** The interpreter of the setting, else that of the Python extension, else python3. */
async function interpreter(): Promise<string> {
  const chosen = vscode.workspace.getConfiguration("shapewright").get<string>("interpreter", "");
  if (chosen) {
    return chosen;
  }
  const python = vscode.extensions.getExtension("ms-python.python");
  if (python) {
    const api = python.isActive ? python.exports : await python.activate();
    const resource = vscode.window.activeTextEditor?.document.uri;
    const path = api?.environments?.getActiveEnvironmentPath?.(resource)?.path;
    const found = path ? await api.environments.resolveEnvironment(path) : undefined;
    const executable = found?.executable?.uri?.fsPath;
    if (executable) {
      return executable;
    }
  }
  return "python3";
}

async function start(): Promise<void> {
  const run: Executable = command(await interpreter());
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file", language: "python" }],
    synchronize: { configurationSection: "shapewright" },
    initializationOptions: vscode.workspace.getConfiguration("shapewright"),
  };
  client = new LanguageClient("shapewright", "shapewright", { run, debug: run }, options);
  try {
    await client.start();
  } catch (error) {
    void vscode.window.showErrorMessage(
      `shapewright: ${run.command} could not start the server (pip install "shapewright[editor]"): ${String(error)}`,
    );
  }
}

async function restart(): Promise<void> {
  await client?.stop().catch(() => undefined);
  await start();
}

async function check(words?: string[]): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!client || !document || document.languageId !== "python") {
    return;
  }
  await document.save();
  const given = words === undefined ? [document.uri.toString()] : [document.uri.toString(), words];
  await client.sendRequest("workspace/executeCommand", { command: "shapewright.check", arguments: given });
}

/** Ask for the script's arguments, starting from those that it was given last. */
async function checkWithArguments(context: vscode.ExtensionContext): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (!uri) {
    return;
  }
  const key = `arguments:${uri.toString()}`;
  const text = await vscode.window.showInputBox({
    prompt: "Arguments of the script",
    value: context.workspaceState.get<string>(key, ""),
    placeHolder: "--epochs 1 --data ./small",
  });
  if (text !== undefined) {
    await context.workspaceState.update(key, text);
    await check(splitArguments(text));
  }
}
