import { isolateHistory, undo, undoDepth } from '@codemirror/commands';
import { EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { paste as messages } from '../../domain/messages.ts';
import { assignNamed, namesIn, plainName } from '../../text/edits/named-people.ts';
import { checklistOf } from '../checklist.ts';
import { compositionEnd } from '../composition.ts';
import { type Provider, provider } from '../provider.ts';
import { type PasteMessage, setPasteMessage } from './message.ts';

/** Limits of the look-up after a paste; the time is for all names. */
const MAX_NAMES = 20;
const NAMES_TIMEOUT_MS = 10_000;

/** The account of the only person of exactly that name, or whom an e-mail address finds alone. */
async function accountOf(source: Provider, name: string, signal: AbortSignal): Promise<string | undefined> {
  const people = await source.findPeople(name, signal);
  const namesakes = name.includes('@') ? people : people.filter(person => plainName(person.name) === name);
  return namesakes.length === 1 ? namesakes[0]?.accountId : undefined;
}

async function accountsOf(source: Provider, names: readonly string[]): Promise<Map<string, string>> {
  const accountOfName = new Map<string, string>();
  const signal = AbortSignal.timeout(NAMES_TIMEOUT_MS);
  // Names are looked up one by one: a table may name many people, and the tracker limits calls.
  for (const name of names.slice(0, MAX_NAMES)) {
    if (signal.aborted) break;
    const account = await accountOf(source, name, signal).catch(() => undefined);
    if (account !== undefined) accountOfName.set(name, account);
  }
  return accountOfName;
}

interface Range {
  from: number;
  to: number;
}

class PastedPeople implements PluginValue {
  private readonly view: EditorView;
  private ranges: Range[] = [];

  constructor(view: EditorView) {
    this.view = view;
  }

  update({ changes }: ViewUpdate) {
    for (const range of this.ranges) {
      range.from = changes.mapPos(range.from, 1);
      range.to = Math.max(range.from, changes.mapPos(range.to, -1));
    }
  }

  /** Assigns the items of a paste to the people whom they name, as a step of its own in the history. */
  async assign(range: Range, notice: PasteMessage | undefined): Promise<void> {
    const { view } = this;
    const names = namesIn(checklistOf(view.state), range.from, range.to);
    if (names.length === 0) return;
    const depth = undoDepth(view.state);
    this.ranges.push(range);
    const accountOfName = await accountsOf(view.state.facet(provider), names);
    await compositionEnd(view);
    if (!this.ranges.includes(range)) return;
    this.ranges = this.ranges.filter(other => other !== range);
    const { changes, count } = assignNamed(checklistOf(view.state), range.from, range.to, accountOfName);
    if (count === 0 || view.state.readOnly) return;
    const announcement = messages.assigned(count);
    const { plain, readAs, ...rest } = notice ?? { title: announcement, lines: [] };
    // These actions undo the paste alone, so they are offered only if this step directly follows the paste.
    const isNext = undoDepth(view.state) === depth;
    const shown: PasteMessage = {
      ...rest,
      lines: notice ? [...notice.lines, announcement] : [],
      ...(plain && isNext && { plain: this.undone(plain) }),
      ...(readAs && isNext && { readAs: readAs.map(({ title, run }) => ({ title, run: this.undone(run) })) }),
    };
    view.dispatch({
      changes,
      userEvent: 'input.paste',
      annotations: isolateHistory.of('full'),
      effects: [setPasteMessage.of(shown), EditorView.announce.of(announcement)],
    });
  }

  private undone(run: (view: EditorView) => void) {
    return (view: EditorView) => {
      undo(view);
      run(view);
    };
  }

  destroy() {
    this.ranges = [];
  }
}

export const pastedPeople = ViewPlugin.fromClass(PastedPeople);

/** Looks up the people whom the items of a paste name. */
export const assignPasted = (view: EditorView, range: Range, notice: PasteMessage | undefined): void =>
  void view.plugin(pastedPeople)?.assign(range, notice);
