import { isUtf8 } from 'node:buffer';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { UsageError } from './errors.ts';

/** The text of a file or of standard input, with its byte order mark. */
export interface Source {
  text: string;
  /** Whether it is valid UTF-8; invalid bytes are U+FFFD in the text. */
  isValid: boolean;
  /** The bytes, for those who read other encodings. */
  bytes?: Uint8Array;
}

/** The functions of the system that commands need. Failures are `UsageError`s. */
export interface Environment {
  readFile(path: string): Promise<Source>;
  /** All of standard input, once. */
  readInput(): Promise<Source>;
  writeFile(path: string, text: string): Promise<void>;
  /** A variable of the environment. */
  variable(name: string): string | undefined;
  /** Standard input and output, for a protocol. */
  streams(): { input: Readable; output: Writable };
}

function decode(bytes: Buffer): Source {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { text, isValid: isUtf8(bytes), bytes };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is too large',
  ERR_FS_FILE_TOO_LARGE: 'it is too large',
  ERR_STRING_TOO_LONG: 'it is too large',
};

/** A system error as a message. */
export function failure(verb: string, what: string, error: unknown): UsageError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new UsageError(`Cannot ${verb} ${what}: ${reasons[code] ?? (code || 'unknown failure')}.`);
}

async function attempt<T>(verb: string, what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw failure(verb, what, error);
  }
}

/** Base of relative paths: npm runs a script in the package's folder, not in the user's. */
const baseFolder = () =>
  process.env.npm_lifecycle_event === 'checklist' ? (process.env.INIT_CWD ?? process.cwd()) : process.cwd();

/** The files and the standard input of this process. */
export function processEnvironment(): Environment {
  let isInputRead = false;
  return {
    readFile: path => attempt('read', path, async () => decode(await readFile(resolve(baseFolder(), path)))),
    readInput: () => {
      if (isInputRead) throw new UsageError('Standard input can be read only once.');
      isInputRead = true;
      return attempt('read', 'standard input', async () => decode(await buffer(process.stdin)));
    },
    writeFile: (path, text) => attempt('write', path, () => writeFile(resolve(baseFolder(), path), text)),
    variable: name => process.env[name],
    streams: () => ({ input: process.stdin, output: process.stdout }),
  };
}
