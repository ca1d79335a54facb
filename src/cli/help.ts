import { type Command, commonOptions, type Option } from './command.ts';

/** The program in the repository's build. The app has no package in a registry whose name could stand here. */
const PROGRAM = 'node dist/cli/main.js';

/** Two columns, the first as wide as its longest entry. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

const optionRows = (options: Readonly<Record<string, Option>>) =>
  Object.entries(options).map(
    ([name, { value, short, help }]) =>
      [`${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`, help] as const,
  );

/** The help text of the program, with a line for each command. */
export const helpText = (commands: readonly Command[]): string => `Works on checklists written as plain text.

Usage: ${PROGRAM} COMMAND [OPTION…] [FILE]

${columns(commands.map(({ name, summary }) => [name, summary] as const))}

The text comes from FILE, or from standard input if there is none or it is "-". Options of every command:

${columns(optionRows(commonOptions))}

Exit code 0: fine. 1: findings, conflicts or an edit that the text refuses. 2: wrong usage, an unreadable file.
"${PROGRAM} COMMAND --help" says more about one command.
`;

/** The help text of one command. */
export const commandHelp = ({ name, summary, takesText, options, details }: Command): string => {
  const commandRows = optionRows(options);
  return `${name}: ${summary}

Usage: ${PROGRAM} ${name} [OPTION…]${takesText ? ' [FILE]' : ''}

${columns([...commandRows, ...optionRows(commonOptions)])}

${details}
`;
};
