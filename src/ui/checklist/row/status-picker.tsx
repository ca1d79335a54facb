import CheckIcon from '@atlaskit/icon/core/check-mark';
import { useState } from 'react';
import { statuses as words } from '../../../domain/messages.ts';
import type { Status } from '../../../domain/statuses.ts';
import { PickInput, PickOption, useSearchedList } from '../../kit/pick-list.tsx';
import { Popover } from '../../kit/popover.tsx';
import { StatusIcon, statusClass } from './row-parts.tsx';

interface Props {
  /** The current status; `undefined` for several items. */
  status: Status | undefined;
  statuses: readonly Status[];
  onChoose(slug: string): void;
  onClose(withFocus: boolean): void;
  /** Opens the settings of statuses, for users who have the permission to manage them. */
  onManage: (() => void) | undefined;
}

/** Many statuses: a search field with a list that scrolls, since a menu of all would be longer than the window. */
export function StatusPicker({ status, statuses, onChoose, onClose, onManage }: Props) {
  const [typed, setTyped] = useState('');
  const query = typed.trim().toLowerCase();
  const matchingStatuses = statuses.filter(({ name }) => name.toLowerCase().includes(query));
  const searched = useSearchedList({
    options: matchingStatuses,
    keyOf: ({ slug }) => slug,
    start: status?.slug,
    onSearch: setTyped,
    onPick: ({ slug }) => onChoose(slug),
  });
  return (
    <Popover label="Status" fits onClose={onClose}>
      <PickInput label="Find a status" value={typed} {...searched.field} />
      <div {...searched.list} role="listbox" aria-label="Statuses" className="check-pick-list check-pick-scrolls">
        {matchingStatuses.map((each, index) => (
          <PickOption key={each.slug} {...searched.optionAt(index)}>
            <StatusIcon status={each} />
            <span dir="auto" className={statusClass(each)}>
              {each.name}
            </span>
            {each.slug === status?.slug ? <CheckIcon label="Current status" /> : null}
          </PickOption>
        ))}
      </div>
      <p className="check-pick-note" role="status">
        {matchingStatuses.length === 0 ? words.noMatch : ''}
      </p>
      {onManage ? (
        <button type="button" className="check-tool" onClick={onManage}>
          Manage statuses
        </button>
      ) : null}
    </Popover>
  );
}
