/* What can be decided without the editor: how the server is started, and how a line of arguments is split. */

export interface Command {
  command: string;
  args: string[];
}

/** The server in the interpreter that also runs the scripts. */
export function command(interpreter: string): Command {
  return { command: interpreter, args: ["-m", "shapewright", "lsp"] };
}

/** Words of a command line; quotes keep blanks together, a backslash keeps the next character. */
export function splitArguments(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const letter = line[at];
    if (letter === "\\" && quote !== "'" && at + 1 < line.length) {
      word = (word ?? "") + line[++at];
    } else if (quote) {
      if (letter === quote) {
        quote = "";
      } else {
        word = (word ?? "") + letter;
      }
    } else if (letter === "'" || letter === '"') {
      quote = letter;
      word = word ?? "";
    } else if (/\s/.test(letter)) {
      if (word !== undefined) {
        words.push(word);
      }
      word = undefined;
    } else {
      word = (word ?? "") + letter;
    }
  }
  return word === undefined ? words : [...words, word];
}
