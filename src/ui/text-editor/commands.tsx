import { IconButton } from '@atlaskit/button/new';
import AngleBracketsIcon from '@atlaskit/icon/core/angle-brackets';
import ArrowDownIcon from '@atlaskit/icon/core/arrow-down';
import ArrowUpIcon from '@atlaskit/icon/core/arrow-up';
import CalendarIcon from '@atlaskit/icon/core/calendar';
import CheckboxCheckedIcon from '@atlaskit/icon/core/checkbox-checked';
import ExclamationIcon from '@atlaskit/icon/core/exclamation-square';
import LinkIcon from '@atlaskit/icon/core/link';
import MentionIcon from '@atlaskit/icon/core/mention';
import StatusIcon from '@atlaskit/icon/core/project-status';
import QuestionIcon from '@atlaskit/icon/core/question-circle';
import RedoIcon from '@atlaskit/icon/core/redo';
import SearchIcon from '@atlaskit/icon/core/search';
import BoldIcon from '@atlaskit/icon/core/text-bold';
import HeadingIcon from '@atlaskit/icon/core/text-heading';
import DetailIcon from '@atlaskit/icon/core/text-indent-right';
import ItalicIcon from '@atlaskit/icon/core/text-italic';
import StrikeIcon from '@atlaskit/icon/core/text-strikethrough';
import UndoIcon from '@atlaskit/icon/core/undo';
import type { EditorView } from '@codemirror/view';
import { type ComponentProps, type KeyboardEvent, useCallback, useRef, useState, useSyncExternalStore } from 'react';
import type { Menu, MenuItem } from '../../editor/index.ts';
import { type EditorCommand, editorCommands, hintOf, isOffered, keyShortcut, onUpdate } from '../../editor/index.ts';
import { Palette } from '../kit/palette.tsx';

import './text-editor.css';

/** The commands that have a button, by id, in groups. */
const groups: readonly (readonly (readonly [string, ComponentProps<typeof IconButton>['icon']])[])[] = [
  [
    ['undo', UndoIcon],
    ['redo', RedoIcon],
  ],
  [
    ['toggleDone', CheckboxCheckedIcon],
    ['setStatus', StatusIcon],
    ['mandatory', ExclamationIcon],
    ['assign', MentionIcon],
    ['dueDate', CalendarIcon],
  ],
  [
    ['header', HeadingIcon],
    ['detail', DetailIcon],
    ['moveUp', ArrowUpIcon],
    ['moveDown', ArrowDownIcon],
  ],
  [
    ['bold', BoldIcon],
    ['italic', ItalicIcon],
    ['strike', StrikeIcon],
    ['code', AngleBracketsIcon],
    ['link', LinkIcon],
  ],
  [
    ['find', SearchIcon],
    ['commands', QuestionIcon],
  ],
];

/** The state of a command's button at the cursor. */
const stateOf = ({ state }: EditorView, command: EditorCommand): string =>
  isOffered(command, state) ? (command.pressed?.(state) ? 'pressed' : 'ready') : 'disabled';

interface Props {
  view: EditorView;
  editable: boolean;
}

/** The frequent commands as a toolbar with one tab stop; arrow keys move between the buttons. */
export function Toolbar({ view, editable }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState<string | undefined>(undefined);
  const commandOfId = new Map(view.state.facet(editorCommands).map(command => [command.id, command]));
  const shown = groups
    .map(group =>
      group.flatMap(([id, icon]) => {
        const command = commandOfId.get(id);
        return command && (editable || !command.edits) ? [{ command, icon }] : [];
      }),
    )
    .filter(group => group.length > 0);
  // One string, so that the toolbar renders only when a button changes.
  const subscribe = useCallback((listener: () => void) => onUpdate(view, listener), [view]);
  const states = useSyncExternalStore(subscribe, () =>
    groups
      .flat()
      .flatMap(([id]) => {
        const command = view.state.facet(editorCommands).find(each => each.id === id);
        return command ? [`${id} ${stateOf(view, command)}`] : [];
      })
      .join(),
  ).split(',');
  const isIn = ({ id }: EditorCommand, state: string) => states.includes(`${id} ${state}`);
  const ids = shown.flatMap(group => group.map(({ command }) => command.id));
  const current = stop !== undefined && ids.includes(stop) ? stop : ids[0];

  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex(button => button.matches(':focus'));
    const to: Record<string, number> = {
      ArrowRight: (at + 1) % buttons.length,
      ArrowLeft: (at - 1 + buttons.length) % buttons.length,
      Home: 0,
      End: buttons.length - 1,
    };
    const next = to[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    buttons[next]?.focus();
  };
  const run = (command: EditorCommand) => {
    if (!isOffered(command, view.state)) return;
    const before = document.activeElement;
    command.run(view);
    // Returns the focus to the text unless the command moved it, e.g. to a panel.
    if (document.activeElement === before) view.focus();
  };
  return (
    <div ref={bar} className="editor-toolbar" role="toolbar" aria-label="Commands" onKeyDown={onKeyDown}>
      {shown.map(group => (
        <div key={group[0]?.command.id} className="editor-tools">
          {group.map(({ command, icon }) => (
            <IconButton
              key={command.id}
              icon={icon}
              label={command.title}
              appearance="subtle"
              isTooltipDisabled={false}
              tooltip={{ content: hintOf(command) }}
              aria-keyshortcuts={keyShortcut(command)}
              isSelected={isIn(command, 'pressed')}
              aria-pressed={command.pressed && isIn(command, 'pressed')}
              // Unlike `disabled`, this keeps focus and tooltip.
              aria-disabled={isIn(command, 'disabled') || undefined}
              tabIndex={command.id === current ? 0 : -1}
              onFocus={() => setStop(command.id)}
              // Keeps the cursor in the text.
              onMouseDown={event => event.preventDefault()}
              onClick={() => run(command)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface MenuProps {
  menu: Menu;
  view: EditorView;
  onClose(): void;
}

/** The menu that a command opens. Returns the focus to the text before the choice runs. */
export function CommandMenu({ menu, view, onClose }: MenuProps) {
  const close = () => {
    onClose();
    view.focus();
  };
  const choose = (choice: MenuItem) => {
    close();
    choice.run(view);
  };
  return <Palette key={menu.label} {...menu} onChoose={choose} onClose={close} />;
}
