import { readChecklist } from '../../src/text/read.ts';

/** A row's state, apart from its position. */
export interface RowState {
  status: string;
  /** Without the person and the day at its end. */
  text: string;
  assignee: string;
  dueDate: string;
  mandatory: boolean;
  details: string;
}

/** The rows of a text by their numbers: every row of a run has a unique number, which no edit changes. */
export type Rows = ReadonlyMap<string, RowState>;

const numberIn = /\b\d{5,}\b/;
export const numberOf = (text: string): string | undefined => numberIn.exec(text)?.[0];

/** First digits of the numbers of rows written into the property, and into the field. */
export const PROPERTY_MARK = '91';
export const FIELD_MARK = '92';

/** Rows of foreign writers; clients only clear and restore them. */
export const isForeign = (number: string): boolean => /^9\d{6}$/.test(number);

export function rowsOf(text: string): Rows {
  const rows = new Map<string, RowState>();
  for (const row of readChecklist(text).rows) {
    const number = numberOf(row.text);
    if (number === undefined || row.kind !== 'checkbox') continue;
    rows.set(number, {
      status: row.status.slug,
      ...partsOf(row.text),
      mandatory: row.mandatory,
      details: row.details.map(detail => detail.text).join('\n'),
    });
  }
  return rows;
}

const tail = / (\[~accountid:[^\]]+\]|\d{4}-\d\d-\d\d)$/;

function partsOf(line: string): Pick<RowState, 'text' | 'assignee' | 'dueDate'> {
  let [text, assignee, dueDate] = [line, '', ''];
  for (let found = tail.exec(text); found; found = tail.exec(text)) {
    const [all, token = ''] = found;
    if (token.startsWith('[')) assignee = `${token}${assignee}`;
    else dueDate = `${token}${dueDate}`;
    text = text.slice(0, -all.length);
  }
  return { text, assignee, dueDate };
}

/** Numbers that occur in more than one row. */
export function repeatedIn(text: string): string[] {
  const numbers = readChecklist(text).rows.map(row => numberOf(row.text) ?? '');
  return [...new Set(numbers.filter((number, index) => number && numbers.indexOf(number) !== index))];
}

export const sameRow = (a: RowState | undefined, b: RowState | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && attributes.every(name => a[name] === b[name]));

export const attributes = ['status', 'text', 'assignee', 'dueDate', 'mandatory', 'details'] as const;

export const shown = (row: RowState | undefined): string =>
  row
    ? [
        row.status,
        row.mandatory ? '!' : '',
        `“${row.text}”`,
        row.assignee,
        row.dueDate,
        row.details && `> ${row.details}`,
      ]
        .filter(Boolean)
        .join(' ')
    : 'absent';

/** The effect of an edit on one row. */
export type Effect =
  | { number: string; did: 'add'; row: RowState }
  | { number: string; did: 'remove' }
  | { number: string; did: 'set'; values: Partial<RowState> };

/** The effects of an edit on the rows of its base. */
export function effectsOf(base: Rows, mine: Rows): Effect[] {
  const effects: Effect[] = [];
  for (const [number, row] of mine) {
    const before = base.get(number);
    if (!before) effects.push({ number, did: 'add', row });
    else if (!sameRow(before, row)) {
      const changed = attributes.filter(name => before[name] !== row[name]);
      effects.push({ number, did: 'set', values: Object.fromEntries(changed.map(name => [name, row[name]])) });
    }
  }
  for (const number of base.keys()) if (!mine.has(number)) effects.push({ number, did: 'remove' });
  return effects;
}
