import type { EditorState } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import { conflicts as words } from '../../domain/messages.ts';
import { valueWords } from '../../text/merge/words.ts';
import type { Conflict } from '../../text/merge.ts';
import { me } from '../commands/assign.ts';
import { runKey } from '../commands/command.ts';
import { button, element } from '../element.ts';
import { provider } from '../provider.ts';

/** A conflict that a bar shows. */
export interface BarConflict extends Conflict {
  /** Account of the author of the other value, if that is known. */
  by?: string | undefined;
}

/** The contents of a bar. */
export interface ShownValues {
  conflict: BarConflict;
  /** The row's id: a bar stays in use while it is about the same value of one row. */
  rowId: string;
  /** The row's present value, by the side that it is of; `undefined` if it is not known. */
  current: { mine?: string; theirs?: string } | undefined;
}

/** The actions of a bar's buttons. */
export interface Choices {
  /** Returns why that side cannot be taken. */
  choose(view: EditorView, conflict: BarConflict, side: 'mine' | 'theirs'): string | undefined;
  next(view: EditorView, conflict: BarConflict): void;
  previous(view: EditorView, conflict: BarConflict): void;
}

type Side = 'mine' | 'theirs';

/** How messages call the author of a change, once the name is known. */
export const nameFor = (state: EditorState, account: string): string | undefined =>
  account === state.facet(me) ? words.self : state.facet(provider).person(account)?.name;

/** Ends the subscription of a bar to names that are not known yet. */
const subscriptions = new WeakMap<HTMLElement, () => void>();

/** The visible bars, and what each of them shows now. */
const bars = new WeakMap<BarConflict, HTMLElement>();
const shownBy = new WeakMap<HTMLElement, ConflictBar>();
export const barOf = (conflict: BarConflict): HTMLElement | undefined => bars.get(conflict);

/** The choice below a row: both values and which of them to take. */
export class ConflictBar extends WidgetType {
  private readonly conflict: BarConflict;
  private readonly rowId: string;
  private readonly values: Record<Side, string>;
  private readonly index: number;
  private readonly total: number;
  private readonly choices: Choices;

  constructor({ conflict, rowId, current }: ShownValues, index: number, total: number, choices: Choices) {
    super();
    this.conflict = conflict;
    this.rowId = rowId;
    this.values = { mine: conflict.mine, theirs: conflict.theirs, ...current };
    this.index = index;
    this.total = total;
    this.choices = choices;
  }

  override eq(other: ConflictBar): boolean {
    const { conflict, values, index, total } = this;
    const isSame = other.values.mine === values.mine && other.values.theirs === values.theirs;
    return other.conflict === conflict && isSame && other.index === index && other.total === total;
  }

  override toDOM(view: EditorView): HTMLElement {
    const bar = element('div', 'cm-conflict');
    bar.setAttribute('role', 'group');
    const title = element('span', 'cm-conflict-title');
    const shown = () => shownBy.get(bar) ?? this;
    const { subscribe } = view.state.facet(provider);
    subscriptions.set(
      bar,
      subscribe(() => shown().showName(bar, view)),
    );
    const trouble = element('span', 'cm-conflict-trouble');
    trouble.setAttribute('role', 'alert');
    const choose = (whose: Side) => () => {
      trouble.textContent = this.choices.choose(view, shown().conflict, whose) ?? '';
    };
    const box = element('div', 'cm-conflict-box');
    box.append(
      title,
      side('mine', 'Mine', 'Keep mine', choose('mine')),
      side('theirs', 'Theirs', 'Take theirs', choose('theirs')),
      this.steps(view),
      trouble,
    );
    bar.append(box);
    this.show(bar, view);
    bar.addEventListener('keydown', event => {
      if (event.key === 'Escape') {
        view.focus();
        event.preventDefault();
      } else runKey(view, event, 'conflict');
      // Keys pressed here are handled by the bar: the host would close the dialog on Escape.
      if (event.defaultPrevented) event.stopPropagation();
    });
    return bar;
  }

  private show(bar: HTMLElement, view: EditorView): void {
    bars.set(this.conflict, bar);
    shownBy.set(bar, this);
    this.showName(bar, view);
    this.showValues(bar, view);
  }

  private showName(bar: HTMLElement, view: EditorView): void {
    const { by, attribute } = this.conflict;
    const name = by === undefined ? undefined : nameFor(view.state, by);
    const what = words.sameAttribute(name ?? words.unnamed, words.attributes[attribute]);
    bar.querySelector('.cm-conflict-title')?.replaceChildren(what);
    bar.setAttribute('aria-label', what);
  }

  private showValues(bar: HTMLElement, view: EditorView): void {
    const { person } = view.state.facet(provider);
    for (const element of bar.querySelectorAll<HTMLElement>('.cm-conflict-side')) {
      const value = valueWords(
        this.conflict.attribute,
        this.values[element.dataset.side === 'mine' ? 'mine' : 'theirs'],
        id => person(id)?.name,
      );
      element.querySelector('.cm-conflict-value')?.replaceChildren(value);
      const choice = element.querySelector('button');
      choice?.setAttribute('aria-label', `${choice.textContent}: ${value}`);
    }
  }

  /** A focused bar keeps the focus when its values or its number change. */
  override updateDOM(bar: HTMLElement, view: EditorView, from: ConflictBar): boolean {
    if (from.rowId !== this.rowId || from.conflict.attribute !== this.conflict.attribute) return false;
    this.show(bar, view);
    bar.querySelector('.cm-conflict-steps')?.replaceWith(this.steps(view));
    return true;
  }

  /** Buttons to the other conflicts, if any. */
  private steps(view: EditorView): HTMLElement {
    const { conflict, choices, index, total } = this;
    const steps = element('span', 'cm-conflict-steps');
    if (total < 2) return steps;
    steps.append(
      element('span', 'cm-conflict-count', `${index + 1} of ${total}`),
      button('cm-conflict-button', 'Previous', () => choices.previous(view, conflict)),
      button('cm-conflict-button', 'Next', () => choices.next(view, conflict)),
    );
    return steps;
  }

  override destroy(bar: HTMLElement): void {
    subscriptions.get(bar)?.();
  }

  override ignoreEvent(): boolean {
    return true;
  }

  override get estimatedHeight(): number {
    return 110;
  }
}

function side(name: Side, whose: string, label: string, run: () => void): HTMLElement {
  const made = element('span', 'cm-conflict-side');
  made.dataset.side = name;
  const choice = button('cm-conflict-button', label, run);
  made.append(element('span', 'cm-conflict-whose', `${whose}: `), element('span', 'cm-conflict-value'), choice);
  return made;
}
