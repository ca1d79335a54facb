import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { ChecklistStore } from '../../../../client/checklist.ts';
import type { DraftSlot } from '../../../../client/drafts.ts';
import { fieldErrors, typingError, validateName } from '../../../../domain/fields.ts';
import { successes, whole } from '../../../../domain/messages.ts';
import { keyText } from '../../../../editor/commands/keys.ts';
import { listCommands, listKeys } from '../../../checklist/list/list-commands.ts';
import { keyAt } from '../../../checklist/list/list-dom.ts';
import { targetOf } from '../../../checklist/list/list-keys.ts';
import type { ListContext } from '../../../checklist/list/list-moves.ts';
import { rowCommands } from '../../../checklist/row/row-commands.ts';
import { menuGroups, type Offers, offeredCommands } from '../../../commands/command.ts';
import { ActionMenu } from '../../../kit/action-menu.tsx';
import { EarlyText, useFirstFocus } from '../../../kit/early-text.tsx';
import { useFocusReturn } from '../../../kit/focus.ts';
import { FormButtons, TextInput } from '../../../kit/form/form.tsx';
import { PaletteList } from '../../../kit/palette.tsx';
import { Popover } from '../../../kit/popover.tsx';
import { useLayer } from '../../../kit/use-layer.ts';
import type { Actions } from '../../../model/checklist/use-actions.ts';
import { fieldsOf, useDraftSlot } from '../../../model/drafts/use-draft-slot.ts';
import { useFieldDraft } from '../../../model/drafts/use-field-draft.ts';
import { useUnseenNews } from '../../../shell/help/news.ts';
import { useLeave, useUnsaved } from '../../../shell/navigation/navigation.ts';
import { useNotify, useTrack } from '../../../shell/services/services.ts';
import { checklistCommands } from './checklist-commands.ts';
import type { CommandContext } from './commands.ts';
import '../../../shell/shell.css';

interface MenuProps {
  context: CommandContext;
  /** `withFocus`: closed by keyboard, so the focus is to be restored; not after a click elsewhere. */
  onClose(withFocus: boolean): void;
}

/** The menu of the checklist's permitted commands. Mounted while open. */
export function ChecklistMenu({ context, onClose }: MenuProps) {
  const unseen = useUnseenNews();
  const track = useTrack();
  return (
    <ActionMenu
      label="Checklist actions"
      actions={menuGroups(offeredCommands(checklistCommands, () => context, track))}
      mark={({ news }) => (news && unseen ? <span className="help-new">New</span> : undefined)}
      onClose={onClose}
    />
  );
}

type List = RefObject<ListContext | undefined>;

/** The row that commands are for: the focused row, else the first selected row. */
function rowOf(from: Element, { current: list }: List): number | undefined {
  const focused = keyAt(from);
  return focused ?? list?.keys.find(key => list.selection.keys.has(key));
}

interface PaletteProps {
  context: CommandContext;
  list: List;
  offers: RefObject<Offers>;
  /** The element that had the focus. */
  from: HTMLElement;
  onClose(withFocus: boolean): void;
}

/**
 * Everything that the user may do with the focused row, the selected rows and the checklist, to search: below the row,
 * else below the menu's button. A popup for which the frame grows; a short frame has no room for a dialog above it.
 */
export function PanelPalette({ context, list, offers, from, onClose }: PaletteProps) {
  const track = useTrack();
  // As it was opened: entries do not move under the pointer.
  const [choices] = useState(() => {
    const { bar, selection, foot, tools } = offers.current;
    const row = rowOf(from, list);
    const allCommands = [
      ...(selection?.() ?? []),
      ...offeredCommands(rowCommands, () => list.current && targetOf(list.current, row), track),
      ...(foot?.() ?? []),
      ...(bar?.() ?? []),
      ...(tools?.() ?? []),
      ...offeredCommands(checklistCommands, () => context, track),
    ];
    // A command of both bar and menu stands once, and the palette does not offer itself.
    const last = new Map(allCommands.map(command => [command.id, command]));
    last.delete(listCommands.palette.id);
    return allCommands.flatMap(command =>
      command === last.get(command.id) ? { ...command, key: command.keys?.[0] && keyText(command.keys[0]) } : [],
    );
  });
  const popup = (
    <div className="check-palette">
      <Popover label="Commands" onClose={onClose}>
        <PaletteList
          label="Commands"
          choices={choices}
          onChoose={({ run }) => {
            // Restores the focus before the command runs: a deleted row passes it on.
            onClose(true);
            queueMicrotask(run);
          }}
        />
      </Popover>
    </div>
  );
  const row = from.closest('li[data-key]');
  return row ? createPortal(popup, row) : popup;
}

interface RenameProps {
  store: ChecklistStore;
  actions: Pick<Actions, 'step'>;
  name: string;
  onClose(): void;
}

/** The form for the checklist's name. Mounted while open. */
export function RenameChecklist(props: RenameProps) {
  const slot = useDraftSlot(fieldsOf(props.store.issueId));
  return slot ? <RenameForm {...props} slot={slot} /> : <EarlyText label="Checklist name" onEscape={props.onClose} />;
}

function RenameForm({ store, actions, name, onClose, slot }: RenameProps & { slot: DraftSlot }) {
  const notify = useNotify();
  const leave = useLeave();
  useLayer(true, () => leave(onClose), true);
  const field = useRef<HTMLInputElement>(null);
  useFirstFocus(() => field.current);
  const { found, isKept, keep } = useFieldDraft(slot, 'name', name);
  const [typed, setTyped] = useState(found ?? name);
  const [sent, setSent] = useState(false);
  const code = validateName(typed);
  const error = code && (sent ? fieldErrors[code] : typed === name ? undefined : typingError(code));
  useUnsaved(typed !== name, () => keep(undefined));
  const save = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (code) return field.current?.focus();
    const text = store.get()?.model.text;
    const renamed = typed.trim().replace(/\s+/g, ' ');
    onClose();
    keep(undefined);
    if (text === undefined || renamed === name) return;
    const change = store.change({ kind: 'updateChecklistFromText', text, name: renamed });
    actions.step(`Renamed to “${renamed}”`, change);
    change.outcome.then(
      () => notify(successes.updateChecklist),
      () => undefined,
    );
  };
  return (
    <form className="form check-confirm" aria-label="Rename checklist" noValidate onSubmit={save}>
      <TextInput
        ref={field}
        label="Checklist name"
        value={typed}
        error={error}
        hint={
          !isKept ? whole.draftNotKept : found === undefined ? undefined : `${whole.restored} Cancel discards them.`
        }
        onChange={now => {
          setTyped(now);
          keep(now === name ? undefined : now);
        }}
      />
      <FormButtons save="Save name" onCancel={() => leave(onClose)} />
    </form>
  );
}

interface HelpProps {
  /** Takes the focus on close if the previously focused element is unmounted. */
  button: RefObject<HTMLButtonElement | null>;
  onClose(): void;
}

/** The list's keyboard shortcuts. */
export function KeyboardHelp({ button, onClose }: HelpProps) {
  const region = useRef<HTMLElement>(null);
  useLayer(true, onClose, true);
  useFocusReturn(region, button);
  // In an effect, after the menu that opened it is unmounted: it traps the focus.
  useEffect(() => region.current?.focus(), []);
  return (
    <section
      ref={region}
      className="check-help"
      aria-label="Keyboard shortcuts"
      tabIndex={-1}
      onKeyDown={event => {
        if (event.key === '?') onClose();
      }}
    >
      <dl>
        {listKeys.map(({ keys, title }) => (
          <div key={title}>
            <dt>
              {keys.map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="check-tool" onClick={onClose}>
        Close
      </button>
    </section>
  );
}
