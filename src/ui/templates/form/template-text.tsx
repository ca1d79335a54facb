import { EditorView } from '@codemirror/view';
import { useCallback, useEffect, useRef, useState } from 'react';
import { PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import { edition } from '../../../domain/edition.ts';
import { encodedSize } from '../../../domain/storage.ts';
import { checklistEditor, type Menu, setEditable, setStatuses } from '../../../editor/index.ts';
import { useStatusRegistry } from '../../model/statuses.ts';
import { useServices, useTrack } from '../../shell/services/services.ts';
import { CommandMenu, Toolbar } from '../../text-editor/commands.tsx';
import { createProvider } from '../../text-editor/completion-provider.ts';
import { mountCalendar, TextEditor } from '../../text-editor/text-editor.tsx';

const notation = ['# Section', '- First item', '- ! Mandatory item', '> A detail of the line above'].join('\n');

interface Props {
  /** The text's accessible name. */
  label: string;
  /** The initial text; another value creates another editor. */
  text: string;
  editable: boolean;
  onChange(text: string): void;
  onSave(): void;
  /** Called with the view, and with `undefined` when it is destroyed. Must be stable. */
  onView?: ((view: EditorView | undefined) => void) | undefined;
  /** Called with the number of rows of a remote change. */
  onRemoteChange?: ((rows: number) => void) | undefined;
}

/** A template open as text, in the checklist editor without its issue-specific parts. */
export function TemplateText({ label, text, editable, onChange, onSave, onView, onRemoteChange }: Props) {
  const services = useServices();
  const track = useTrack();
  const [menu, showMenu] = useState<Menu | undefined>(undefined);
  const [view, setView] = useState<EditorView | undefined>(undefined);
  const typed = useRef(text);
  const latest = useRef({ onChange, onSave });
  useEffect(() => {
    latest.current = { onChange, onSave };
  });
  const [extensions] = useState(() => [
    checklistEditor({
      label,
      editable,
      provider: createProvider(services),
      calendar: mountCalendar,
      placeholder: notation,
      choose: showMenu,
      save: () => latest.current.onSave(),
      ...(onRemoteChange && { remoteChanged: onRemoteChange }),
      done: act => {
        if (act === 'mandatory') track('Item made mandatory from template view');
      },
      capacity: { limit: PROPERTY_CAPACITY, sizeOf: () => encodedSize(typed.current) },
      itemLimit: edition.limits.itemsPerChecklist,
    }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged) return;
      typed.current = state.doc.toString();
      latest.current.onChange(typed.current);
    }),
  ]);
  const statuses = useStatusRegistry();
  useEffect(() => view?.dispatch(setStatuses(statuses)), [view, statuses]);
  useEffect(() => view?.dispatch(setEditable(editable)), [view, editable]);
  const handleView = useCallback(
    (made: EditorView | undefined) => {
      setView(made);
      onView?.(made);
    },
    [onView],
  );
  return (
    <div className="template-text">
      {view && editable ? <Toolbar view={view} editable={editable} /> : null}
      <TextEditor text={text} extensions={extensions} onView={handleView} />
      {menu && view ? <CommandMenu menu={menu} view={view} onClose={() => showMenu(undefined)} /> : null}
    </div>
  );
}
