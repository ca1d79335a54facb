import { decodeText } from '../text/decode.ts';
import { type CleanNote, cleanText } from '../text/document.ts';
import { builtIn, type StatusRegistry, statusRegistry } from '../text/status-registry.ts';
import { statusProblems } from '../text/statuses/problems.ts';
import type { Environment, Source } from './environment.ts';
import { UsageError } from './errors.ts';
import { statusesFrom } from './status-file.ts';

/** An option of a command: one that takes a value names it. */
export interface Option {
  value?: string;
  short?: string;
  help: string;
}

/** The result of a command. */
export interface Outcome {
  /** For standard output. */
  output: string;
  /** For standard error, line by line. */
  notes?: readonly string[];
  /** 0: fine. 1: findings or conflicts. */
  code?: 0 | 1;
}

export interface Command {
  name: string;
  summary: string;
  /** Whether it takes a text from a named file or standard input. */
  takesText: boolean;
  options: Readonly<Record<string, Option>>;
  /** The text of the command's help below the options. */
  details: string;
  run(call: Call): Promise<Outcome>;
}

export const commonOptions: Readonly<Record<string, Option>> = {
  json: { help: 'print JSON' },
  statuses: { value: 'FILE', help: 'statuses of your own: a JSON array of {slug, name, checked, color}' },
  help: { short: 'h', help: 'say what the command does' },
};

/** A note on characters removed from a text. */
const noteText = ({ kind, count }: CleanNote): string => {
  const what = { byteOrderMark: 'byte order mark', nul: 'NUL character', loneSurrogate: 'half surrogate pair' }[kind];
  return `${kind === 'loneSurrogate' ? 'Replaced' : 'Removed'} ${count} ${what}${count === 1 ? '' : 's'}.`;
};

/** One invocation of a command: its options and where its texts come from. */
export class Call {
  /** Notes on reading the texts. */
  readonly notes: string[] = [];
  readonly environment: Environment;
  /** The file that the text comes from; none for standard input. */
  readonly file: string | undefined;
  /** The first source that is not UTF-8 throughout. */
  private broken: string | undefined;
  private readonly values: Readonly<Record<string, string | boolean | undefined>>;

  constructor(environment: Environment, values: Call['values'], file: string | undefined) {
    this.environment = environment;
    this.values = values;
    this.file = file === '-' ? undefined : file;
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  option(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** The value of an option that the command cannot do without. */
  required(name: string): string {
    const value = this.option(name);
    if (value === undefined) throw new UsageError(`--${name} is missing.`);
    return value;
  }

  /** A variable of the environment; an empty one counts as unset. */
  variable(name: string): string | undefined {
    return this.environment.variable(name) || undefined;
  }

  /** The option's value, one of those given. */
  choice<T extends string>(name: string, choices: readonly T[]): T {
    const value = this.required(name);
    const chosenValue = choices.find(choice => choice === value);
    if (chosenValue === undefined) throw new UsageError(`--${name} is one of ${choices.join(', ')}.`);
    return chosenValue;
  }

  /** A text as it enters the product: LF only, cleaned of what cannot be stored. `-` and nothing are standard input. */
  async text(path = this.file): Promise<string> {
    const raw = await this.raw(path);
    const { text, notes } = cleanText(raw);
    for (const note of notes) this.notes.push(path === undefined ? noteText(note) : `${path}: ${noteText(note)}`);
    return text;
  }

  /** The text of another program, in any encoding of office programs. Returns undefined for bytes that are no text. */
  async foreignText(): Promise<string | undefined> {
    const { source, name } = await this.source(this.file);
    if (!source.bytes) return source.text;
    const decoded = decodeText(source.bytes);
    if (decoded && decoded.encoding !== 'UTF-8') this.notes.push(`${name}: Read as ${decoded.encoding}.`);
    return decoded?.text;
  }

  private async source(path: string | undefined): Promise<{ source: Source; name: string }> {
    if (path === undefined || path === '-')
      return { source: await this.environment.readInput(), name: 'standard input' };
    return { source: await this.environment.readFile(path), name: path };
  }

  /** A text to the character. */
  private async raw(path: string | undefined): Promise<string> {
    const { source, name } = await this.source(path);
    const { text, isValid } = source;
    if (!isValid) {
      this.broken ??= name;
      this.notes.push(`${name}: Replaced what is not UTF-8.`);
    }
    return text;
  }

  /** Overwrites a file, but not with a text of which a part could not be read. */
  async write(path: string, text: string): Promise<void> {
    if (this.broken !== undefined) throw new UsageError(`Cannot write ${path}: ${this.broken} is not UTF-8.`);
    await this.environment.writeFile(path, text);
  }

  /** The registry of `--statuses`, or the built-in one. What keeps a status from being used is a note. */
  async statuses(): Promise<StatusRegistry> {
    const path = this.option('statuses');
    if (path === undefined) return builtIn;
    const custom = statusesFrom(await this.raw(path), path);
    for (const { index, message } of statusProblems(custom)) {
      this.notes.push(`${path}: status ${index + 1}, ${JSON.stringify(custom[index]?.name)}: ${message}`);
    }
    return statusRegistry(custom);
  }
}

/** A value as JSON with a final line break. */
export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A text with a final line break. */
export const lines = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
