import { parseArgs } from 'node:util';
import { type Command, commonOptions, type Option } from './command.ts';
import { UsageError } from './errors.ts';

export interface Arguments {
  values: Record<string, string | boolean | undefined>;
  file: string | undefined;
}

const typeOf = ({ value, short }: Option) => ({
  type: value === undefined ? ('boolean' as const) : ('string' as const),
  ...(short !== undefined && { short }),
});

/**
 * Parses the arguments after the command's name. Throws a `UsageError` for an argument that the command does not know.
 */
export function parseArguments(command: Command, args: readonly string[]): Arguments {
  const options = Object.fromEntries(
    Object.entries({ ...command.options, ...commonOptions }).map(([name, option]) => [name, typeOf(option)]),
  );
  let parsed: { values: Record<string, string | boolean | undefined>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options cannot be read.');
  }
  const { values, positionals } = parsed;
  if (!values.help && positionals.length > (command.takesText ? 1 : 0)) {
    throw new UsageError(`${command.name} does not take ${JSON.stringify(positionals.at(-1))}.`);
  }
  return { values, file: positionals[0] };
}
