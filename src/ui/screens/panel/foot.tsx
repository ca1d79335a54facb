import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type { ChecklistStore } from '../../../client/checklist.ts';
import type { User } from '../../../domain/user.ts';
import { sections } from '../../../text/progress.ts';
import type { Checklist } from '../../../text/types.ts';
import { type ListControls, listCommands } from '../../checklist/list/list-commands.ts';
import { focusRow } from '../../checklist/list/list-dom.ts';
import { UndoLine } from '../../checklist/undo-line.tsx';
import { type Offers, offeredCommands, useOffers } from '../../commands/command.ts';
import { useUndo } from '../../model/checklist/undo-history.ts';
import type { Actions } from '../../model/checklist/use-actions.ts';
import type { View } from '../../model/rows/use-row-filter.ts';
import { useTrack } from '../../shell/services/services.ts';
import { useFloating } from './floating.ts';
import '../../checklist/bar.css';

interface Props {
  store: ChecklistStore;
  checklist: Checklist;
  keys: readonly number[];
  view: View;
  user: User;
  actions: Actions;
  offers: RefObject<Offers>;
  say(words: string): void;
}

/** Below the list: the last step with Undo and Redo, and a note on added items that the list hides. */
export default function Foot({ store, actions, user, offers, say, ...list }: Props) {
  const foot = useRef<HTMLDivElement>(null);
  useFloating(foot, 'foot');
  const history = useUndo(store, actions, user);
  const track = useTrack();
  useOffers(offers, 'foot', () => {
    const steps = history.get();
    const controls: ListControls = { undo: steps.undo && history.undo, redo: steps.redo && history.redo };
    return offeredCommands([listCommands.undo, listCommands.redo], () => controls, track);
  });
  return (
    <div ref={foot} className="check-foot">
      <HiddenAdded actions={actions} {...list} />
      <UndoLine history={history} say={say} />
    </div>
  );
}

type HiddenProps = Pick<Props, 'actions' | 'checklist' | 'keys' | 'view'>;

/** The items added last that the list hides, with a button to show them. */
function HiddenAdded({ actions, checklist, keys, view }: HiddenProps) {
  const madeChanges = useSyncExternalStore(actions.made.subscribe, actions.made.get);
  const { visible, filter, hideCompleted, pin, fold } = view;
  const { rows } = checklist;
  const shown = new Set(visible.shown);
  const added = (madeChanges.at(-1)?.added ?? []).map(row => rows.indexOf(row));
  const hidden = added.filter(at => at >= 0 && !shown.has(at));
  const hiddenKeys = hidden.flatMap(at => keys[at] ?? []);
  const [first] = hiddenKeys;
  const closed = sections(checklist).filter(
    ({ header, end }) => visible.folded.has(header) && hidden.some(at => at > header && at < end),
  );
  const isCompleted = (at: number) => hideCompleted && rows[at]?.kind === 'checkbox' && rows[at].status.checked;
  const reason =
    closed.length > 0
      ? 'in a collapsed section'
      : filter
        ? 'hidden by the filter'
        : hidden.some(isCompleted)
          ? 'hidden as completed'
          : undefined;
  // Otherwise only the length of the list hides them.
  const isBelow = first !== undefined && reason === undefined;
  useEffect(() => {
    if (isBelow) pin(hiddenKeys);
  });
  const message = first === undefined || reason === undefined ? '' : `Added, ${reason}.`;
  const show = () => {
    flushSync(() => {
      for (const { header } of closed) fold(checklist, header, false);
      pin(hiddenKeys);
    });
    focusRow(document.querySelector(`.check-rows > [data-key="${first}"]`));
  };
  return (
    <p className="check-hidden-added">
      <span role="status">{message}</span>
      {message === '' ? null : (
        <button type="button" className="check-tool" onClick={show}>
          Show
        </button>
      )}
    </p>
  );
}
