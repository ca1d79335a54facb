import { ItemsRequired } from '../text/errors.ts';
import { parseArguments } from './arguments.ts';
import { Call, type Command, type Outcome } from './command.ts';
import { convert } from './commands/convert.ts';
import { edit } from './commands/edit.ts';
import { exportTo } from './commands/export.ts';
import { lint } from './commands/lint.ts';
import { mcp } from './commands/mcp.ts';
import { merge } from './commands/merge.ts';
import { normalise } from './commands/normalise.ts';
import { read } from './commands/read.ts';
import { tree } from './commands/tree.ts';
import type { Environment } from './environment.ts';
import { Refusal, UsageError } from './errors.ts';
import { commandHelp, helpText } from './help.ts';

const commands: readonly Command[] = [read, tree, lint, normalise, edit, convert, exportTo, merge, mcp];

/** The output of the program, and its exit code. */
export interface Result {
  output: string;
  errors: string;
  code: 0 | 1 | 2;
}

const fine = (output: string): Result => ({ output, errors: '', code: 0 });

const failed = (message: string, code: 1 | 2): Result => ({ output: '', errors: `${message}\n`, code });

function commandOf(name: string): Command {
  const command = commands.find(candidate => candidate.name === name);
  if (!command) throw new UsageError(`There is no command ${JSON.stringify(name)}. See --help.`);
  return command;
}

async function execute(name: string, args: readonly string[], environment: Environment): Promise<Result> {
  const command = commandOf(name);
  const { values, file } = parseArguments(command, args);
  if (values.help) return fine(commandHelp(command));
  const call = new Call(environment, values, file);
  const { output, notes = [], code = 0 }: Outcome = await command.run(call);
  return { output, errors: [...call.notes, ...notes].map(note => `${note}\n`).join(''), code };
}

/** Runs the program with the arguments behind its name. Bad input ends in a message and a code, never in an exception. */
export async function run(args: readonly string[], environment: Environment): Promise<Result> {
  const [name, ...commandArguments] = args;
  try {
    if (name === undefined) return failed(helpText(commands).trimEnd(), 2);
    if (name === '--help' || name === '-h') return fine(helpText(commands));
    if (name === 'help')
      return fine(commandArguments[0] === undefined ? helpText(commands) : commandHelp(commandOf(commandArguments[0])));
    return await execute(name, commandArguments, environment);
  } catch (error) {
    if (error instanceof UsageError) return failed(error.message, 2);
    if (error instanceof Refusal || error instanceof ItemsRequired) return failed(error.message, 1);
    throw error;
  }
}
