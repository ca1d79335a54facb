import { type Base, shownBase } from '../../src/client/reading.ts';
import type { ChecklistEdit } from '../../src/domain/change.ts';
import { sourceOf, targetOf } from '../../src/text/rows.ts';
import type { Checklist } from '../../src/text/types.ts';
import type { Frame } from './frame.ts';
import type { Ledger } from './ledger.ts';
import type { Kind, Step } from './steps.ts';
import { tokenIn, wordsIn } from './words.ts';

interface PanelContext {
  checklist: Checklist;
  ledger: Ledger;
  person: number;
}

/** Makes an edit of the shown checklist, with its words. */
type Make = (context: PanelContext, step: Step) => { edit: ChecklistEdit; said: string } | undefined;

const MIN_ROWS = 3;
const slugs = ['done', 'in_progress', 'todo', 'skipped'] as const;

const rowAt = ({ rows }: Checklist, at: number) => {
  const index = at % Math.max(1, rows.length);
  const row = rows[index];
  return row && { index, row, name: tokenIn(row.text) ?? JSON.stringify(row.text) };
};

const tick: Make = ({ checklist }, { at, to }) => {
  const found = rowAt(checklist, at);
  if (found?.row.kind !== 'checkbox') return undefined;
  const status = slugs[to % slugs.length] ?? 'done';
  return {
    edit: { kind: 'setItemStatus', target: targetOf(checklist, found.index), status },
    said: `sets ${found.name} to ${status} in the panel`,
  };
};

const add: Make = ({ checklist, ledger, person }, { at, to }) => {
  const token = ledger.newToken(person);
  const index = at % (checklist.rows.length + 1);
  return {
    edit: { kind: 'addChecklistItemsFromText', text: token, ...(to % 2 && { index }) },
    said: `adds ${token} in the panel${to % 2 ? ` as row ${index + 1}` : ''}`,
  };
};

const rename: Make = ({ checklist, ledger, person }, { at, to }) => {
  const found = rowAt(checklist, at);
  if (!found) return undefined;
  const word = ledger.newWord(person);
  const parts = found.row.text.split(' ');
  const place = [parts.length, 0, Math.floor(parts.length / 2)][to % 3] ?? 0;
  const text = parts.toSpliced(place, 0, word).join(' ');
  return {
    edit: { kind: 'updateChecklistItem', target: targetOf(checklist, found.index), values: { text } },
    said: `rewords ${found.name} in the panel as ${JSON.stringify(text)}`,
  };
};

const detail: Make = ({ checklist, ledger, person }, { at }) => {
  const found = rowAt(checklist, at);
  if (!found) return undefined;
  const word = ledger.newWord(person);
  const details = [...found.row.details.map(({ text }) => text), word].join('\n');
  return {
    edit: { kind: 'updateChecklistItem', target: targetOf(checklist, found.index), values: { details } },
    said: `gives ${found.name} the detail ${word} in the panel`,
  };
};

const move: Make = ({ checklist }, { at, to }) => {
  const found = rowAt(checklist, at);
  if (!found) return undefined;
  const index = to % (checklist.rows.length + 1);
  return {
    edit: { kind: 'moveChecklistItem', targets: [targetOf(checklist, found.index)], section: false, index },
    said: `moves ${found.name} before row ${index + 1} in the panel`,
  };
};

const remove: Make = ({ checklist, ledger, person }, { at }) => {
  const found = rowAt(checklist, at);
  if (!found || checklist.rows.length < MIN_ROWS) return undefined;
  ledger.deleteRow(person, wordsIn(sourceOf(checklist, found.index)));
  return {
    edit: { kind: 'deleteChecklistItem', target: targetOf(checklist, found.index) },
    said: `deletes ${found.name} in the panel`,
  };
};

const makes: Partial<Record<Kind, Make>> = {
  tick,
  add,
  rename,
  detail,
  moveInPanel: move,
  deleteInPanel: remove,
};

export const isPanelStep = (kind: Kind): boolean =>
  kind === 'undoInPanel' || kind === 'openField' || kind === 'saveField' || kind in makes;

/** A panel, the ids of its changes that can be undone, and the checklist as it was when its field was opened. */
export interface Panel {
  frame: Frame;
  made: string[];
  opened?: { checklist: Checklist; base: Base } | undefined;
}

/** Makes a step in a panel; returns what it did. */
export function playInPanel(panel: Panel, ledger: Ledger, step: Step): string | undefined {
  const { store } = panel.frame;
  const { made, opened } = panel;
  const view = store.get();
  if (!view) return undefined;
  const { person } = step;
  const finish = (said: string) => {
    ledger.local(`the panel of ${person}`, view.text, store.get()?.text ?? '');
    return said;
  };
  if (step.kind === 'undoInPanel') {
    const id = made.pop();
    const inverses = id === undefined ? [] : store.inverse(id, () => true);
    for (const { edit, base } of inverses) store.change(edit, base);
    return inverses.length > 0 ? finish('undoes in the panel') : undefined;
  }
  if (step.kind === 'openField') {
    panel.opened = { checklist: view.model, base: shownBase(view) };
    return `opens a field in the panel of ${person}`;
  }
  const isField = step.kind === 'saveField';
  const { checklist, base } = isField ? (opened ?? {}) : { checklist: view.model };
  if (isField) panel.opened = undefined;
  const make = isField ? rename : makes[step.kind];
  const change = checklist && make?.({ checklist, ledger, person }, step);
  if (!change) return undefined;
  made.push(store.change(change.edit, base).id);
  return finish(change.said);
}
