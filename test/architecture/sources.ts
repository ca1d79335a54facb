import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The program's files and what they import, for the tests beside this one. */

export const root = join(import.meta.dirname, '../..');

/** TypeScript files of the program, by their paths from the root. */
export const sources = ['grammar', 'src'].flatMap(top =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map(file => join(top, file)),
);

export const filesUnder = (area: string): string[] => sources.filter(file => file.startsWith(`${area}/`));

export interface Import {
  specifier: string;
  /** Gone at run time. */
  typeOnly: boolean;
  /** A seam: it may close a circle without harm. */
  dynamic: boolean;
}

export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

export function importsOf(file: string): Import[] {
  const text = textOf(file);
  const found = [...text.matchAll(/^\s*(?:import|export)\s+(type\s)?[^;'"]*?from\s+['"]([^'"]+)['"]/gm)].map(match => ({
    specifier: match[2] ?? '',
    typeOnly: Boolean(match[1]),
    dynamic: false,
  }));
  const bare = [...text.matchAll(/^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm)].map(match => ({
    specifier: match[1] ?? match[2] ?? '',
    typeOnly: false,
    dynamic: match[2] !== undefined,
  }));
  return [...found, ...bare];
}

/** The path that a relative specifier names, from the root. */
export const resolved = (file: string, specifier: string): string =>
  relative(root, join(root, dirname(file), specifier)).split('?')[0] ?? '';

/** The project files that a file imports. */
export const ownImportsOf = (file: string): (Omit<Import, 'specifier'> & { target: string })[] =>
  importsOf(file)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, ...rest }) => ({ ...rest, target: resolved(file, specifier) }));
