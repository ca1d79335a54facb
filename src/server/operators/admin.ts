import { BadConfig, readConfig } from '../app/config/config.ts';
import { StoreUnavailable } from '../errors/unavailable.ts';
import { isRefusal } from '../store/reachable.ts';
import { operate } from './operate.ts';
import { type Answer, type ParsedCommand, readArguments } from './program.ts';
import { messages } from './texts.ts';

/** Exit codes of the start (sysexits.h): the configuration cannot work, the database does not answer. */
const EX_CONFIG = 78;
const EX_UNAVAILABLE = 69;
/** Nothing was done, for the reason that is printed. */
const EXIT_FAILED = 1;

/** The answer to an error of the settings or the database; `undefined` for others, which are bugs. */
function refusalOf(error: unknown): Answer | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof StoreUnavailable)
    return { output: '', errors: `${messages.notOpened(error.message)}\n`, code: EX_UNAVAILABLE };
  const isOfSettings = error instanceof BadConfig || isRefusal(error);
  // Errors of files and of the database have a code.
  if (!isOfSettings && !('code' in error)) return undefined;
  return { output: '', errors: `${error.message}\n`, code: isOfSettings ? EX_CONFIG : EXIT_FAILED };
}

async function answerTo(parsedCommand: ParsedCommand): Promise<Answer> {
  if ('answer' in parsedCommand) return parsedCommand.answer;
  try {
    return await operate(readConfig(process.env), parsedCommand.run, error => {
      process.stderr.write(`${error instanceof Error ? error.message : 'unknown'}\n`);
    });
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return refusal;
  }
}

const { output, errors, code } = await answerTo(readArguments(process.argv.slice(2)));
process.stderr.write(errors);
// Exits once all output is written, without waiting for work that may still go on, such as creating a folder.
process.stdout.write(output, () => process.exit(code));
