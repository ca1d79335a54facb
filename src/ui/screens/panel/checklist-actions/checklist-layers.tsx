import { type FormEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { ChecklistStore } from '../../../../client/checklist.ts';
import type { DraftSlot } from '../../../../client/drafts.ts';
import { fieldErrors, typingError, validateName } from '../../../../domain/fields.ts';
import { successes, whole } from '../../../../domain/messages.ts';
import { keyText } from '../../../../editor/commands/keys.ts';
import { nameIn } from '../../../../text/export/person.ts';
import { exportChecklist } from '../../../../text/export.ts';
import { keyAt } from '../../../checklist/list/list-dom.ts';
import { type ListContext, listCommands, listKeys, targetOf } from '../../../checklist/list/list-keys.ts';
import { ActionMenu } from '../../../kit/action-menu.tsx';
import { copyText, download } from '../../../kit/copy-and-download.ts';
import { EarlyText, useFirstFocus } from '../../../kit/early-text.tsx';
import { FormButtons, TextInput } from '../../../kit/form/form.tsx';
import { PaletteList } from '../../../kit/palette.tsx';
import { Popover } from '../../../kit/popover.tsx';
import { useLayer } from '../../../kit/use-layer.ts';
import type { Actions } from '../../../model/checklist/use-actions.ts';
import { fieldsOf, useDraftSlot } from '../../../model/drafts/use-draft-slot.ts';
import { useFieldDraft } from '../../../model/drafts/use-field-draft.ts';
import { useUnseenNews } from '../../../shell/help/news.ts';
import { useLeave, useUnsaved } from '../../../shell/navigation/navigation.ts';
import { type Notify, useNotify } from '../../../shell/services/services.ts';
import { type Command, type CommandContext, commandsOf, type Offers, PALETTE, type Shared } from './commands.ts';
import { printChecklist } from './print-sheet.ts';
import '../../../shell/shell.css';

interface MenuProps {
  context: CommandContext;
  /** `withFocus`: closed by keyboard, so the focus is to be restored; not after a click elsewhere. */
  onClose(withFocus: boolean): void;
}

/** The menu of the checklist's permitted commands. Mounted while open. */
export function ChecklistMenu({ context, onClose }: MenuProps) {
  const unseen = useUnseenNews();
  return (
    <ActionMenu
      label="Checklist actions"
      actions={commandsOf(context, sharing)}
      mark={({ news }) => (news && unseen ? <span className="help-new">New</span> : undefined)}
      onClose={onClose}
    />
  );
}

/** Copies the checklist as a Markdown task list and reports whether the browser permitted it. */
async function copyMarkdown({ checklist, names }: Shared, notify: Notify): Promise<void> {
  const done = await copyText(exportChecklist(checklist, 'github', { nameOf: nameIn(names) }));
  notify(done ? whole.copied : whole.notCopied, done ? 'success' : 'error');
}

/** A byte order mark, by which spreadsheets detect the encoding. */
const MARK = '\ufeff';

/** Downloads the checklist as CSV. */
function downloadCsv({ checklist, names }: Shared, name: string): void {
  const text = MARK + exportChecklist(checklist, 'csv', { nameOf: nameIn(names) });
  download(`${name}.csv`, 'text/csv', text);
}

const sharing = { copyMarkdown, downloadCsv, printChecklist };

type List = RefObject<ListContext | undefined>;

/** Commands of the whole list, which the panel itself offers. */
const general = ['help', 'search'];

/** The row that commands are for: the one with the focus, else the first selected one. */
function rowOf(from: Element, { current: list }: List): number | undefined {
  const focused = keyAt(from);
  return focused ?? list?.keys.find(key => list.selection.keys.has(key));
}

/** The permitted commands of the list for a row; each is checked again when it runs. */
function rowCommands(list: List, row: number | undefined): Command[] {
  const now = () => list.current && targetOf(list.current, row);
  const target = now();
  if (!target) return [];
  return listCommands.flatMap(({ id, title, label = title, keys, enabled, run }) => {
    if (general.includes(id) || !enabled(target)) return [];
    const act = () => {
      const latest = now();
      if (latest && enabled(latest)) run(latest);
    };
    return [{ label, ...(keys?.[0] !== undefined && { key: keys[0] }), run: act }];
  });
}

interface PaletteProps {
  context: CommandContext;
  list: List;
  offers: RefObject<Offers>;
  onEdit(): Promise<void>;
  /** What had the focus. */
  from: HTMLElement;
  onClose(withFocus: boolean): void;
}

/**
 * Everything that the user may do with the focused row, the selected rows and the checklist, to search: below the row,
 * else below the menu's button. A popup for which the frame grows; a short frame has no room for a dialog above it.
 */
export function PanelPalette({ context, list, offers, onEdit, from, onClose }: PaletteProps) {
  // As it was opened: entries do not move under the pointer.
  const [choices] = useState(() => {
    const { bar, selection, foot } = offers.current;
    const edit = { label: 'Open editor', run: () => void onEdit().catch(() => undefined) };
    const all: Command[] = [
      ...(selection?.() ?? []),
      ...rowCommands(list, rowOf(from, list)),
      ...(foot?.() ?? []),
      ...(bar?.() ?? []),
      ...(context.user.canEditChecklist ? [edit] : []),
      ...commandsOf(context, sharing)
        .flat()
        .filter(({ label }) => label !== PALETTE),
    ];
    return all.map(({ label, key, run }) => ({
      id: label,
      label,
      key: key === undefined ? undefined : keyText({ key }),
      run,
    }));
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
  const from = useRef<Element>(null);
  useEffect(() => {
    // In an effect, after the menu that opened it is unmounted: it traps the focus.
    from.current = document.activeElement;
    region.current?.focus();
  }, []);
  useLayoutEffect(() => {
    const { current: here } = region;
    return () => {
      if (!here?.contains(document.activeElement)) return;
      const { current: before } = from;
      const back = before instanceof HTMLElement && before !== document.body && before.isConnected;
      (back ? before : button.current)?.focus();
    };
  }, [button]);
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
        {listKeys.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="check-tool" onClick={onClose}>
        Close
      </button>
    </section>
  );
}
