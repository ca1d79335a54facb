import type { BuiltInSlug } from '../../domain/statuses.ts';

/** What a column of a table says about an item. */
export interface Column {
  kind: 'text' | 'key' | 'status' | 'done' | 'mandatory' | 'assignee' | 'due' | 'section' | 'level' | 'details';
  index: number;
}

const names: Record<Column['kind'], readonly string[]> = {
  text: [
    'text',
    'name',
    'summary',
    'item',
    'task',
    'title',
    'to do',
    'todo',
    'step',
    'check',
    'checklist item',
    'task name',
  ],
  key: ['key', 'issue key'],
  status: ['status', 'state'],
  done: ['done', 'completed', 'complete', 'checked', 'finished', 'is done'],
  mandatory: ['mandatory', 'required'],
  assignee: ['assignee', 'owner', 'assigned to', 'responsible', 'who', 'assigned', 'assignees', 'owners', 'person'],
  due: ['due', 'due date', 'deadline', 'duedate'],
  section: ['section', 'group', 'list', 'phase', 'category', 'heading', 'section/column'],
  level: ['level'],
  details: ['details', 'notes', 'note', 'description', 'comment', 'comments'],
};

const kindOf = new Map(
  Object.entries(names).flatMap(([kind, all]) => all.map(name => [name, kind] as const)),
) as ReadonlyMap<string, Column['kind']>;

const plain = (text: string) =>
  text
    .replace(/[*_`:?]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** The columns that a first row names, if it is a head: it names what the items say, and nothing twice but details. */
export function columnsOf(cells: readonly string[]): Column[] | undefined {
  const seen = new Set<Column['kind']>();
  const named = cells.flatMap((cell, index): Column[] => {
    const kind = kindOf.get(plain(cell));
    if (!kind || (kind !== 'details' && seen.has(kind))) return [];
    seen.add(kind);
    return [{ kind, index }];
  });
  // Only a section has a level that a header can have.
  const found = seen.has('section') ? named : named.filter(({ kind }) => kind !== 'level');
  const texts = found.filter(({ kind }) => kind === 'text');
  const [prose] = found.filter(({ kind }) => kind === 'details');
  if (texts.length === 0 && prose && found.length > 1) {
    return found.map(column => (column === prose ? { ...column, kind: 'text' } : column));
  }
  return texts.length > 0 && (found.length > 1 || cells.length === 1) ? found : undefined;
}

const words: Record<BuiltInSlug, readonly string[]> = {
  todo: [
    'to do',
    'todo',
    'open',
    'new',
    'backlog',
    'not started',
    'no',
    'false',
    '0',
    'n',
    '☐',
    '[ ]',
    '[]',
    'incomplete',
  ],
  done: [
    'done',
    'closed',
    'resolved',
    'complete',
    'completed',
    'finished',
    'yes',
    'true',
    '1',
    'y',
    'x',
    '✓',
    '✔',
    '☑',
    '☒',
    '[x]',
    '✅',
  ],
  in_progress: ['in progress', 'doing', 'started', 'in development', 'in work', 'wip'],
  skipped: ['skipped', 'cancelled', 'canceled', "won't do", 'wont do', 'n/a', 'not applicable'],
};

const slugOf = new Map<string, BuiltInSlug>();
for (const slug of ['todo', 'done', 'in_progress', 'skipped'] as const)
  for (const word of words[slug]) slugOf.set(word, slug);

/** The built-in status that a cell means, in any case. */
export const statusOfWord = (word: string): BuiltInSlug | undefined => slugOf.get(plain(word));

/** Whether a cell says yes. */
export const isTrue = (word: string): boolean => statusOfWord(word) === 'done';
