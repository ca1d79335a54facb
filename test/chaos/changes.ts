import type { Random } from '../../bench/random.ts';
import type { ChecklistEdit, RowEdit, ServerEdit } from '../../src/domain/change.ts';
import { applyChanges } from '../../src/text/document.ts';
import { addIssueKey, applyTemplate } from '../../src/text/edits.ts';
import { performEdit } from '../../src/text/perform.ts';
import { readChecklist } from '../../src/text/read.ts';
import { sourceOf } from '../../src/text/rows.ts';
import type { Checklist } from '../../src/text/types.ts';
import { isForeign, numberOf } from './rows.ts';
import type { ChaosTemplate } from './template-author.ts';

export interface Made {
  edit: ChecklistEdit | ServerEdit;
  /** The text that the client expects; for a conversion once it knows the new issue's key. */
  mine(issueKey: string | null): string;
}

export interface EditContext {
  random: Random;
  /** A text for a new row, with a unique number. */
  fresh(): string;
  /** A template not applied yet. */
  template(): ChaosTemplate | undefined;
  /** An earlier version of the issue's checklist. */
  earlier: { epoch: string; seq: number; text: string } | undefined;
}

/** How clients generate one kind of change. */
interface Kind {
  /** Relative frequency; in a long checklist, and in a short one. */
  weight: { long: number; short: number };
  /** An edit of that base; `undefined` where there is nothing to change. */
  edit(base: Checklist, context: EditContext): ChecklistEdit | ServerEdit | undefined;
}

const slugs = ['todo', 'done', 'in_progress', 'skipped'];
const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'omega'];
const people = ['5b10a2844c20165700ede21a', '5b10a2844c20165700ede21b', '5b10a2844c20165700ede21c'];

/** Rows that clients may touch, as targets. */
const own = ({ rows }: Checklist) =>
  rows.flatMap((row, index) => {
    const number = numberOf(row.text);
    if (row.kind !== 'checkbox' || number === undefined || isForeign(number)) return [];
    return [{ row, target: { index, text: row.text } }];
  });

const other = <T>(all: readonly T[], than: T | undefined, { random }: EditContext): T =>
  random.pick(all.filter(each => each !== than));

/** Replaces a word of the row's own: the number stays, and so does what identifies the row. */
function reworded(text: string, context: EditContext): string {
  const word = words.find(each => text.includes(each)) ?? '';
  return text.replace(word, other(words, word, context));
}

const kinds: readonly Kind[] = [
  {
    weight: { long: 1, short: 6 },
    edit({ rows }, { random, fresh }) {
      const text = Array.from({ length: 1 + random.int(2) }, () => `- ${fresh()}`).join('\n');
      const place = random.int(2) ? { index: random.int(rows.length + 1) } : {};
      return { kind: 'addChecklistItemsFromText', text, ...place };
    },
  },
  {
    weight: { long: 5, short: 4 },
    edit: (base, context) =>
      ofOne(base, context, ({ row, target }) => ({
        kind: 'setItemStatus',
        target,
        status: other(slugs, row.status.slug, context),
      })),
  },
  {
    weight: { long: 4, short: 1 },
    edit: (base, context) => ofOne(base, context, ({ target }) => ({ kind: 'deleteChecklistItem', target })),
  },
  {
    weight: { long: 3, short: 3 },
    edit: (base, context) =>
      ofOne(base, context, ({ row, target }) => {
        const { random } = context;
        const values = [
          { text: reworded(row.text, context) },
          { details: `${random.pick(words)} ${random.pick(words)}` },
          { mandatory: !row.mandatory },
          { assignee: row.assignee && random.int(2) ? null : other(people, row.assignee, context) },
          { dueDate: row.dueDate && random.int(2) ? null : `2027-0${1 + random.int(9)}-${10 + random.int(18)}` },
        ];
        return { kind: 'updateChecklistItem', target, values: random.pick(values) };
      }),
  },
  {
    weight: { long: 3, short: 2 },
    edit(base, context) {
      const { random } = context;
      const chosen = own(base).filter(() => random.int(3) === 0);
      const edits = chosen.map(({ row, target }): RowEdit => {
        if (random.int(8) === 0) return { kind: 'deleteChecklistItem', target };
        if (random.int(3) === 0) return { kind: 'updateChecklistItem', target, values: { mandatory: !row.mandatory } };
        return { kind: 'setItemStatus', target, status: other(slugs, row.status.slug, context) };
      });
      return edits.length ? { kind: 'changeChecklistItems', edits } : undefined;
    },
  },
  {
    weight: { long: 2, short: 2 },
    edit: (base, context) =>
      ofOne(base, context, ({ target }) => {
        const index = context.random.int(base.rows.length + 1);
        return { kind: 'moveChecklistItem', targets: [target], section: false, index };
      }),
  },
  {
    weight: { long: 3, short: 2 },
    edit(base, context) {
      const text = rewritten(base, context);
      return readChecklist(text).rows.length ? { kind: 'updateChecklistFromText', text } : undefined;
    },
  },
  {
    weight: { long: 0.5, short: 0 },
    edit: ({ rows }) => (rows.length ? { kind: 'clearChecklist' } : undefined),
  },
  {
    weight: { long: 0.3, short: 0.2 },
    edit: (_, { earlier }) =>
      earlier && readChecklist(earlier.text).rows.length
        ? { kind: 'restoreChecklistRevision', epoch: earlier.epoch, seq: earlier.seq }
        : undefined,
  },
  {
    weight: { long: 0.3, short: 0.8 },
    edit(_, { template }) {
      const found = template();
      return found && { kind: 'applyTemplateToChecklist', templateIds: [found.id], mode: 'APPEND' };
    },
  },
  {
    // A lost answer makes its client wait for a minute.
    weight: { long: 0.2, short: 0.2 },
    edit: (base, context) =>
      ofOne(base, context, ({ row, target }) =>
        row.issueKeys.length > 0
          ? undefined
          : { kind: 'convertItemToIssue', target, to: context.random.pick(['SUBTASK', 'LINKED_ISSUE']) },
      ),
  },
];

/** Longer checklists are more often shortened than lengthened. */
const LONG = 40;
/** Weights are counted in tenths. */
const SHARES = 10;

/** A change of that base; `undefined` where the chosen one would change nothing. */
export function makeChange(base: Checklist, context: EditContext): Made | undefined {
  const length = base.rows.length > LONG ? 'long' : 'short';
  const bag = kinds.flatMap(kind => Array.from({ length: kind.weight[length] * SHARES }, () => kind));
  let template: ChaosTemplate | undefined;
  const take = () => {
    template = context.template();
    return template;
  };
  const edit = context.random.pick(bag).edit(base, { ...context, template: take });
  if (!edit) return undefined;
  const mine = (key: string | null): string => {
    switch (edit.kind) {
      case 'restoreChecklistRevision':
        return context.earlier?.text ?? '';
      case 'applyTemplateToChecklist':
        return applyChanges(base.text, applyTemplate(base, template?.text ?? '', { replace: false }));
      case 'convertItemToIssue':
        return key === null ? base.text : applyChanges(base.text, addIssueKey(base, edit.target, key));
      case 'applyDemoTemplateToChecklist':
        return base.text;
      default:
        return performEdit(base, edit);
    }
  };
  return edit.kind !== 'convertItemToIssue' && mine(null) === base.text ? undefined : { edit, mine };
}

function ofOne<T>(base: Checklist, { random }: EditContext, edit: (chosen: ReturnType<typeof own>[number]) => T) {
  const rows = own(base);
  return rows.length ? edit(random.pick(rows)) : undefined;
}

/** The text after an edit by a user: some rows changed, deleted or added, perhaps one of them moved. */
function rewritten(base: Checklist, context: EditContext): string {
  const { random, fresh } = context;
  const rows = base.rows.map((_, index) => sourceOf(base, index).trimEnd());
  const before = new Set(rows);
  const touchable = own(base).map(({ target }) => target.index);
  for (let edits = 1 + random.int(4); edits > 0; edits--) {
    const index = touchable.length ? touchable.splice(random.int(touchable.length), 1)[0] : undefined;
    const source = index === undefined ? undefined : rows[index];
    if (index === undefined || source === undefined) rows.push(`- ${fresh()}`);
    else rows[index] = edited(source, context);
  }
  const kept = rows.filter(row => row !== '');
  // A reworded row that also moves to another section is another row (docs/language.md).
  const same = kept.flatMap((row, index) => (before.has(row) ? index : []));
  if (kept.length > 2 && same.length > 0 && random.int(3) === 0) {
    const [moved = ''] = kept.splice(random.pick(same), 1);
    kept.splice(random.int(kept.length + 1), 0, moved);
  }
  return kept.join('\n');
}

/** A row's source after one more edit; empty when it was deleted, two rows where one was added below. */
function edited(source: string, context: EditContext): string {
  const { random, fresh } = context;
  const checklist = readChecklist(source);
  const [chosen] = own(checklist);
  if (!chosen) return source;
  const { row, target } = chosen;
  switch (random.int(5)) {
    case 0: {
      const status = other(slugs, row.status.slug, context);
      return performEdit(checklist, { kind: 'setItemStatus', target, status });
    }
    case 1:
      return source.replace(row.text, reworded(row.text, context));
    case 2:
      return `${source.split('\n')[0]}\n> ${random.pick(words)} ${random.pick(words)}`;
    case 3:
      return `${source}\n- ${fresh()}`;
    default:
      return '';
  }
}
