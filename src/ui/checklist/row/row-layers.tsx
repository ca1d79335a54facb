import { useEffect, useRef } from 'react';
import type { CheckboxRow } from '../../../text/types.ts';
import { Popover } from '../../kit/popover.tsx';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import { isoDay, useToday } from '../../model/today.ts';
import { Days } from '../../text-editor/date-picker/days.tsx';
import { Assignee } from './assignee-picker.tsx';
import type { MoreProps } from './row-buttons.tsx';
import { RowMenu, SectionMenu } from './row-menu.tsx';
import type { Part } from './use-open-part.ts';

interface DueDateProps {
  row: CheckboxRow;
  name: string;
  actions: RowActions;
  onClose(withFocus: boolean): void;
}

/** The day after an ISO day. */
function dayAfter(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return isoDay(new Date(year, month - 1, date + 1));
}

/** A popup for an item's due date: today, tomorrow, a calendar day, or none. */
export function DueDate({ row, name, actions, onClose }: DueDateProps) {
  const today = useToday();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const pick = (day: string | undefined) => {
    onClose(true);
    if (day !== row.dueDate) actions.setDueDate(row, day);
  };
  return (
    <Popover label={`Due date of ${name}`} onClose={onClose}>
      <div className="check-popover-buttons">
        <button ref={first} type="button" className="check-tool" onClick={() => pick(today)}>
          Today
        </button>
        <button type="button" className="check-tool" onClick={() => pick(dayAfter(today))}>
          Tomorrow
        </button>
        {row.dueDate === undefined ? null : (
          <button type="button" className="check-tool" onClick={() => pick(undefined)}>
            Clear
          </button>
        )}
      </div>
      <div className="check-popover-room">
        <Days day={row.dueDate ?? today} selected={row.dueDate} today={today} focus={false} onPick={pick} />
      </div>
    </Popover>
  );
}

interface Props extends MoreProps {
  part: Part;
}

/** A row's menus and popups, mounted while one is open. */
export default function Layers({ part, ...props }: Props) {
  const { row, name, actions, opened } = props;
  const close = (withFocus: boolean) => opened.close(part, withFocus);
  if (part === 'menu') return <RowMenu {...props} onClose={close} />;
  if (part === 'section') return <SectionMenu {...props} onClose={close} />;
  if (row.kind === 'header') return null;
  if (part === 'assignee') return <Assignee rows={[row]} name={name} actions={actions} onClose={close} />;
  return <DueDate row={row} name={name} actions={actions} onClose={close} />;
}
