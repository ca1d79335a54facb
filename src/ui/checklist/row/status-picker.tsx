import CheckIcon from '@atlaskit/icon/core/check-mark';
import { useId, useRef, useState } from 'react';
import { statuses as words } from '../../../domain/messages.ts';
import type { Status } from '../../../domain/statuses.ts';
import { PickInput, PickOption } from '../../kit/pick-list.tsx';
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
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  /** The slug of the chosen option, which stays when the list changes. */
  const [at, setAt] = useState(status?.slug);
  const query = typed.trim().toLowerCase();
  const found = statuses.filter(({ name }) => name.toLowerCase().includes(query));
  const chosen = Math.max(
    found.findIndex(({ slug }) => slug === at),
    found.length > 0 ? 0 : -1,
  );
  const move = (to: number) => {
    setAt(found[to]?.slug);
    const { current: box } = list;
    const option = box?.querySelectorAll<HTMLElement>('[role=option]')[to];
    if (!option || !box) return;
    // Only the list scrolls, never the frame or the tracker's page around it.
    const [top, end] = [option.offsetTop - box.offsetTop, option.offsetTop - box.offsetTop + option.offsetHeight];
    if (top < box.scrollTop) box.scrollTop = top;
    else if (end > box.scrollTop + box.clientHeight) box.scrollTop = end - box.clientHeight;
  };
  const pick = (index: number) => {
    const picked = found[index];
    if (picked) onChoose(picked.slug);
  };
  return (
    <Popover label="Status" onClose={onClose}>
      <PickInput
        label="Find a status"
        list={id}
        count={found.length}
        chosen={chosen}
        value={typed}
        onType={text => {
          setTyped(text);
          setAt(undefined);
        }}
        onMove={move}
        onPick={() => pick(chosen)}
      />
      <div ref={list} id={id} role="listbox" aria-label="Statuses" className="check-pick-list check-pick-scrolls">
        {found.map((each, index) => (
          <PickOption
            key={each.slug}
            list={id}
            index={index}
            selected={index === chosen}
            onHover={() => setAt(each.slug)}
            onPick={() => pick(index)}
          >
            <StatusIcon status={each} />
            <span dir="auto" className={statusClass(each)}>
              {each.name}
            </span>
            {each.slug === status?.slug ? <CheckIcon label="Current status" /> : null}
          </PickOption>
        ))}
      </div>
      <p className="check-pick-note" role="status">
        {found.length === 0 ? words.noMatch : ''}
      </p>
      {onManage ? (
        <button type="button" className="check-tool" onClick={onManage}>
          Manage statuses
        </button>
      ) : null}
    </Popover>
  );
}
