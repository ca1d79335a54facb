import { type CleanNote, cleanText } from '../text/document.ts';
import { builtIn, type StatusRegistry } from '../text/statuses.ts';
import { UsageError } from './errors.ts';
import { registryFrom } from './statuses.ts';
import type { World } from './world.ts';

/** An option of a command: one that takes a value names it. */
export interface Option {
  value?: string;
  help: string;
}

/** What a command leaves behind. */
export interface Outcome {
  /** For standard output. */
  output: string;
  /** For standard error: what a person should know, line by line. */
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
  /** What its help says below the options. */
  details: string;
  run(call: Call): Promise<Outcome>;
}

export const commonOptions: Readonly<Record<string, Option>> = {
  json: { help: 'print JSON' },
  statuses: { value: 'FILE', help: 'statuses of your own: a JSON array of {slug, name, checked, color}' },
  help: { help: 'say what the command does' },
};

/** What was removed from a text as it was read, as a sentence. */
const noteText = ({ kind, count }: CleanNote): string => {
  const what = { byteOrderMark: 'byte order mark', nul: 'NUL character', loneSurrogate: 'half surrogate pair' }[kind];
  return `${kind === 'loneSurrogate' ? 'Replaced' : 'Removed'} ${count} ${what}${count === 1 ? '' : 's'}.`;
};

/** One invocation of a command: its options and where its texts come from. */
export class Call {
  /** What reading the texts took out of them. */
  readonly notes: string[] = [];
  readonly world: World;
  /** The file that the text comes from; none for standard input. */
  readonly file: string | undefined;
  private readonly values: Readonly<Record<string, string | boolean | undefined>>;

  constructor(world: World, values: Call['values'], file: string | undefined) {
    this.world = world;
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

  /** The option's value, one of those given. */
  choice<T extends string>(name: string, choices: readonly T[]): T {
    const value = this.required(name);
    const found = choices.find(choice => choice === value);
    if (found === undefined) throw new UsageError(`--${name} is one of ${choices.join(', ')}.`);
    return found;
  }

  /** A text as it enters the product: LF only, cleaned of what cannot be stored. `-` and nothing are standard input. */
  async text(path = this.file): Promise<string> {
    const raw = await this.raw(path);
    const { text, notes } = cleanText(raw);
    for (const note of notes) this.notes.push(path === undefined ? noteText(note) : `${path}: ${noteText(note)}`);
    return text;
  }

  /** A text to the character. */
  raw(path = this.file): Promise<string> {
    return path === undefined || path === '-' ? this.world.readInput() : this.world.readFile(path);
  }

  async statuses(): Promise<StatusRegistry> {
    const path = this.option('statuses');
    return path === undefined ? builtIn : registryFrom(await this.raw(path), path);
  }
}

/** A value as JSON for people and programs, its last line ended. */
export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A text as a terminal wants it, its last line ended. */
export const lines = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
