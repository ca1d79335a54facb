import { type Environment, processEnvironment } from '../../src/cli/environment.ts';
import { run } from '../../src/cli/run.ts';

const isValid = (text: string) => ({ text, isValid: true });

/** Files in memory, a standard input, and what was written. */
export function environment(
  files: Record<string, string> = {},
  input = '',
  variables: Record<string, string> = {},
): Environment & { written: Map<string, string> } {
  const written = new Map<string, string>();
  return {
    written,
    readFile: async path => (files[path] === undefined ? processEnvironment().readFile(path) : isValid(files[path])),
    readInput: async () => isValid(input),
    writeFile: async (path, text) => void written.set(path, text),
    variable: name => variables[name],
    streams: () => processEnvironment().streams(),
  };
}

/** Runs the program on a text from standard input. */
export const onText = (text: string, ...args: string[]) => run(args, environment({}, text));

/** The same, with its output read as JSON. */
export async function jsonOf(text: string, ...args: string[]): Promise<unknown> {
  const { output } = await onText(text, ...args);
  return JSON.parse(output);
}
