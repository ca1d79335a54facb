import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { changesOf, type DiagnoseOptions, type Diagnostic, diagnose, type Fix, fixesOf } from '../../text/diagnose.ts';
import { applyChanges } from '../../text/document.ts';
import { readChecklist } from '../../text/read.ts';
import type { StatusRegistry } from '../../text/status-registry.ts';
import { type Call, type Command, json, lines } from '../command.ts';
import { UsageError } from '../errors.ts';

/** A fix may cause another fixable finding; this bounds the repetitions. */
const MAX_ROUNDS = 10;

/** The text after all changes that the findings offer. */
function fixed(text: string, statuses: StatusRegistry, options: DiagnoseOptions): string {
  let result = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const checklist = readChecklist(result, statuses);
    const changes = changesOf(checklist, diagnose(checklist, options));
    if (changes.length === 0) break;
    result = applyChanges(result, changes);
  }
  return result;
}

function optionsOf(call: Call): DiagnoseOptions {
  const capacity = { sizeOf: (text: string) => JSON.stringify(text).length, limit: PROPERTY_CAPACITY };
  const limit = call.option('max-items');
  if (limit === undefined) return { capacity };
  if (!/^\d{1,9}$/.test(limit)) throw new UsageError('--max-items is a number.');
  return { capacity, itemLimit: Number(limit) };
}

/** Characters by which a text would move a terminal's cursor, set its title or turn its lines around. */
const controls = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

const visible = (text: string): string =>
  text.replace(controls, character => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);

interface Fixable extends Diagnostic {
  fixes: readonly Fix[];
}

/** One finding a line, as compilers write them, so that editors and continuous integration find the place. */
const findingText =
  (name: string) =>
  ({ line, column, severity, code, message, fixes }: Fixable) => {
    const titles = fixes.map(({ title }) => title).join(' / ');
    return visible(
      `${name}:${line}:${column}: ${severity}: ${message} [${code}]${titles === '' ? '' : ` Fix: ${titles}`}`,
    );
  };

export const lint: Command = {
  name: 'lint',
  summary: 'what was probably not meant so',
  takesText: true,
  options: {
    fix: { help: 'make the changes that the findings offer: in FILE, or printed if the text is standard input' },
    'max-items': { value: 'N', help: 'most items that a checklist may have' },
  },
  details: `Prints one finding a line: NAME:LINE:COLUMN: SEVERITY: MESSAGE [CODE]. Exit code 1 if there are any.
With --json {diagnostics}, each {line, column, from, to, severity, code, message, fixes}; with --fix also {text}.
With --fix, what remains goes to standard error. Lines and columns count from 1.`,
  async run(call) {
    const [options, statuses, before] = [optionsOf(call), await call.statuses(), await call.text()];
    const text = call.flag('fix') ? fixed(before, statuses, options) : before;
    const checklist = readChecklist(text, statuses);
    const diagnostics = diagnose(checklist, options).map(finding => ({
      ...finding,
      fixes: fixesOf(checklist, finding),
    }));
    const code = diagnostics.length > 0 ? 1 : 0;
    const findings = diagnostics.map(findingText(call.file ?? '<stdin>'));
    if (call.file !== undefined && text !== before) await call.write(call.file, text);
    if (call.flag('json')) return { output: json({ ...(call.flag('fix') && { text }), diagnostics }), code };
    if (!call.flag('fix')) return { output: findings.map(lines).join(''), code };
    return { output: call.file === undefined ? text : '', notes: findings, code };
  },
};
