import { DropdownItem, DropdownItemGroup, DropdownItemRadio, DropdownItemRadioGroup } from '@atlaskit/dropdown-menu';
import { useId } from 'react';
import { loadEnforcement } from '../../../client/enforcement/load.ts';
import { createEnforcementStore } from '../../../client/enforcement/store.ts';
import { dayWords } from '../../../domain/days.ts';
import type { Status } from '../../../domain/statuses.ts';
import { addDays } from '../../../editor/complete/days.ts';
import type { CheckboxRow, Row } from '../../../text/types.ts';
import { Dropdown } from '../../kit/action-menu.tsx';
import { Popover } from '../../kit/popover.tsx';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import { useToday } from '../../model/today.ts';
import { type Services, useBridge, useHostContext, useUser } from '../../shell/services/services.ts';
import { DayPicker } from '../../text-editor/days.tsx';
import { moveRow } from '../list/list-moves.ts';
import { Assignee } from './assignee-picker.tsx';
import { ConvertPopup } from './convert-popup.tsx';
import { Gates, OpenItems } from './gate-popups.tsx';
import type { ButtonsProps } from './row-buttons.tsx';
import { RowMenu, SectionMenu } from './row-menu.tsx';
import { StatusIcon, statusClass } from './row-parts.tsx';
import { StatusPicker } from './status-picker.tsx';
import type { Part } from './use-open-part.ts';

interface DueDateProps {
  rows: readonly CheckboxRow[];
  name: string;
  actions: RowActions;
  onClose(withFocus: boolean): void;
}

/** A popup for items' due date: in words, today, tomorrow, a calendar day, or none. */
export function DueDate({ rows, name, actions, onClose }: DueDateProps) {
  const today = useToday();
  /** The common due date. */
  const commonDay = rows.every(({ dueDate }) => dueDate === rows[0]?.dueDate) ? rows[0]?.dueDate : undefined;
  const pick = (day: string | undefined) => {
    onClose(true);
    const changedItems = rows.filter(({ dueDate }) => dueDate !== day);
    if (changedItems.length > 0) actions.setDueDate(changedItems, day, day && dayWords(day, today));
  };
  return (
    <Popover label={`Due date of ${name}`} onClose={onClose}>
      <DayPicker selected={commonDay} today={today} onPick={pick}>
        <div className="check-popover-buttons">
          <button type="button" className="check-tool" onClick={() => pick(today)}>
            Today
          </button>
          <button type="button" className="check-tool" onClick={() => pick(addDays(today, 1))}>
            Tomorrow
          </button>
          {rows.every(({ dueDate }) => dueDate === undefined) ? null : (
            <button type="button" className="check-tool" onClick={() => pick(undefined)}>
              Clear
            </button>
          )}
        </div>
      </DayPicker>
    </Popover>
  );
}

/** Loads the enforcement that a section's menu depends on, once for an issue. */
export function prepareMenu(services: Services, { kind }: Row, issueId: string): void {
  const store = services.once(createEnforcementStore);
  if (kind === 'header' && !store.get().has(issueId)) void loadEnforcement(store, services, issueId);
}

interface Props extends ButtonsProps {
  part: Part;
}

/** A row's menus and popups, mounted while one is open. */
export default function Layers({ part, ...props }: Props) {
  const { row, name, actions, opened } = props;
  const close = (withFocus: boolean) => opened.close(part, withFocus);
  if (part === 'menu') return <RowMenu {...props} onClose={close} />;
  const model = actions.latest();
  if (part === 'section')
    return model ? (
      <SectionMenu
        name={name}
        checklist={model}
        onChoose={index => {
          close(true);
          moveRow(props.list.current, row, index);
        }}
        onClose={close}
      />
    ) : null;
  if (row.kind === 'header') {
    if (part === 'gates') return <Gates row={row} name={name} actions={actions} onClose={close} />;
    if (part !== 'openItems') return null;
    return <OpenItems row={row} name={name} actions={actions} list={props.list} onClose={close} />;
  }
  if (part === 'status')
    return (
      <StatusMenu
        status={row.status}
        statuses={actions.latest()?.statuses.list ?? []}
        onChoose={slug => {
          close(true);
          if (slug !== row.status.slug) actions.setStatus(row, slug);
        }}
        onClose={close}
      />
    );
  if (part === 'assignee') return <Assignee rows={[row]} name={name} actions={actions} onClose={close} />;
  if (part === 'convert') return <ConvertPopup rows={[row]} name={name} actions={actions} onClose={close} />;
  return <DueDate rows={[row]} name={name} actions={actions} onClose={close} />;
}

interface StatusMenuProps {
  /** The current status; `undefined` for several items. */
  status: Status | undefined;
  statuses: readonly Status[];
  onChoose(slug: string): void;
  /** `byKey`: closed by keyboard, so the focus is to be restored; not after a click elsewhere. */
  onClose(byKey: boolean): void;
}

/** The key of the project whose statuses the user has permission to manage. */
function useManaged(): string | undefined {
  const { canManageTemplates } = useUser();
  const { projectKey } = useHostContext();
  return canManageTemplates ? projectKey : undefined;
}

/** More statuses are searched in a list that scrolls. */
const MAX_MENU_STATUSES = 12;

/** The menu of statuses. A lazy chunk, mounted while open. */
export function StatusMenu({ status, statuses, onChoose, onClose }: StatusMenuProps) {
  const group = useId();
  const bridge = useBridge();
  const managed = useManaged();
  if (statuses.length > MAX_MENU_STATUSES)
    return (
      <StatusPicker
        status={status}
        statuses={statuses}
        onChoose={onChoose}
        onClose={onClose}
        onManage={managed === undefined ? undefined : () => bridge.openSettings(managed)}
      />
    );
  return (
    <Dropdown label="Status" onClose={onClose}>
      <DropdownItemRadioGroup id={group}>
        {statuses.map(each => (
          <DropdownItemRadio
            key={each.slug}
            id={each.slug}
            isSelected={each.slug === status?.slug}
            onClick={() => onChoose(each.slug)}
          >
            <StatusIcon status={each} />
            <span className={statusClass(each)}>{each.name}</span>
          </DropdownItemRadio>
        ))}
      </DropdownItemRadioGroup>
      {managed === undefined ? null : (
        <DropdownItemGroup hasSeparator>
          <DropdownItem onClick={() => bridge.openSettings(managed)}>Manage statuses</DropdownItem>
        </DropdownItemGroup>
      )}
    </Dropdown>
  );
}
