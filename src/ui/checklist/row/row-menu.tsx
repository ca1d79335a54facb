import { DropdownItem, DropdownItemGroup } from '@atlaskit/dropdown-menu';
import { issuePath } from '../../../domain/pages.ts';
import type { Checklist, Row } from '../../../text/types.ts';
import { Dropdown } from '../../kit/action-menu.tsx';
import { copyText } from '../../kit/copy-and-download.ts';
import { nameOf } from '../../model/rows/row-segments.ts';
import { useBridge, useHostContext, useNotify, useTrack } from '../../shell/services/services.ts';
import { useSectionEdit } from './gate-popups.tsx';
import type { ButtonsProps } from './row-buttons.tsx';

interface Props extends ButtonsProps {
  onClose(withFocus: boolean): void;
}

/** The menu of a row's permitted commands. */
export function RowMenu({ row, name, opened, actions, tools, onClose, ...may }: Props) {
  const bridge = useBridge();
  const notify = useNotify();
  const track = useTrack();
  const { issueKey } = useHostContext();
  const { canEdit, canMove, canAdd, canDelete, canChangeStatus } = may;
  const save = useSectionEdit(actions);
  const last = actions.latest()?.rows.length ?? 0;
  const sections = actions.latest()?.rows.some(({ kind }) => kind === 'header') ?? false;
  // Restores the focus before the command runs: a deleted row passes it on.
  const act = (run: () => void) => () => {
    onClose(true);
    queueMicrotask(run);
  };
  const copy = async (key: string) => {
    const done = await bridge.hostUrl(issuePath(key)).then(copyText, () => false);
    notify(done ? 'Link copied.' : "We couldn't copy the link.", done ? 'success' : 'error');
  };
  return (
    <Dropdown label={`Actions for ${name}`} onClose={onClose}>
      {canEdit ? (
        <DropdownItemGroup>
          <DropdownItem onClick={() => opened.open('text')}>Edit</DropdownItem>
          <DropdownItem
            onClick={() => {
              track('Add details clicked');
              opened.open('details');
            }}
          >
            {row.details.length > 0 ? 'Edit details' : 'Add details'}
          </DropdownItem>
        </DropdownItemGroup>
      ) : null}
      {row.kind === 'checkbox' && (canEdit || canChangeStatus) ? (
        <DropdownItemGroup hasSeparator={canEdit}>
          {canChangeStatus ? <DropdownItem onClick={() => opened.open('status')}>Status…</DropdownItem> : null}
          {canEdit ? (
            <>
              <DropdownItem onClick={() => opened.open('assignee')}>Assign…</DropdownItem>
              <DropdownItem onClick={() => opened.open('due')}>Due date…</DropdownItem>
              <DropdownItem
                onClick={act(() => {
                  if (!row.mandatory) track('Item made mandatory from issue view');
                  actions.setMandatory([row], !row.mandatory);
                })}
              >
                {row.mandatory ? 'Make optional' : 'Make mandatory'}
              </DropdownItem>
            </>
          ) : null}
        </DropdownItemGroup>
      ) : null}
      {row.kind === 'header' && canEdit ? (
        <DropdownItemGroup hasSeparator>
          <DropdownItem onClick={() => opened.open('gates')}>Gate before a status…</DropdownItem>
          <DropdownItem onClick={act(() => save(row, { customers: !row.customers }))}>
            {row.customers ? 'Hide from customers' : 'Show to customers'}
          </DropdownItem>
        </DropdownItemGroup>
      ) : null}
      {canMove ? (
        <DropdownItemGroup hasSeparator>
          <DropdownItem onClick={act(() => tools.moveTo(row, 0))}>Move to top</DropdownItem>
          <DropdownItem onClick={act(() => tools.moveTo(row, last))}>Move to bottom</DropdownItem>
          {sections && row.kind === 'checkbox' ? (
            <DropdownItem onClick={() => opened.open('section')}>Move to section…</DropdownItem>
          ) : null}
        </DropdownItemGroup>
      ) : null}
      {canEdit && row.kind === 'checkbox' ? (
        <DropdownItemGroup hasSeparator>
          <DropdownItem onClick={() => opened.open('convert')}>Convert to issue…</DropdownItem>
        </DropdownItemGroup>
      ) : null}
      <DropdownItemGroup hasSeparator={canEdit}>
        {canAdd ? (
          <DropdownItem onClick={() => tools.addBelow(row)}>
            {row.kind === 'header' ? 'Add item in section' : 'Add item below'}
          </DropdownItem>
        ) : null}
        {issueKey === undefined ? null : (
          <DropdownItem onClick={act(() => void copy(issueKey))}>Copy link</DropdownItem>
        )}
        {canDelete ? <DropdownItem onClick={act(() => actions.remove(row))}>Delete</DropdownItem> : null}
      </DropdownItemGroup>
    </Dropdown>
  );
}

interface Section {
  header: Row;
  index: number;
  /** The index after its own items. */
  end: number;
}

function sectionsOf({ rows }: Checklist): Section[] {
  return rows.flatMap((header, index) => {
    if (header.kind !== 'header') return [];
    const next = rows.findIndex(({ kind }, at) => at > index && kind === 'header');
    return { header, index, end: next < 0 ? rows.length : next };
  });
}

interface SectionMenuProps {
  /** What moves. */
  name: string;
  checklist: Checklist;
  /** `index`: the end of the section's own items. `to` names the section. */
  onChoose(index: number, to: string): void;
  onClose(withFocus: boolean): void;
}

/** The menu of sections to move items to. */
export const SectionMenu = ({ name, checklist, onChoose, onClose }: SectionMenuProps) => (
  <Dropdown label={`Move ${name} to a section`} onClose={onClose}>
    <DropdownItemGroup>
      {sectionsOf(checklist).map(({ header, index, end }) => (
        <DropdownItem key={index} onClick={() => onChoose(end, ` to ${nameOf(header)}`)}>
          {nameOf(header) || 'Section without a name'}
        </DropdownItem>
      ))}
    </DropdownItemGroup>
  </Dropdown>
);
