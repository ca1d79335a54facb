import {
  DropdownItem,
  DropdownItemCheckbox,
  DropdownItemCheckboxGroup,
  DropdownItemGroup,
} from '@atlaskit/dropdown-menu';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { getConvertedIssues, sendFollowing } from '../../../client/conversions.ts';
import { failureMessage } from '../../../client/errors.ts';
import { failures, whole } from '../../../domain/messages.ts';
import { issuePath } from '../../../domain/pages.ts';
import type { CheckboxRow, Checklist, Row } from '../../../text/types.ts';
import { Dropdown } from '../../kit/action-menu.tsx';
import { copyText } from '../../kit/copy-and-download.ts';
import { Failure } from '../../kit/form/form.tsx';
import { nameOf } from '../../model/rows/row-segments.ts';
import { useSite } from '../../shell/navigation/links.tsx';
import { Cached } from '../../shell/services/query-client.tsx';
import { useBridge, useGraphql, useHostContext, useNotify, useTrack } from '../../shell/services/services.ts';
import type { ButtonsProps } from './row-buttons.tsx';
import { hasSections } from './use-open-part.ts';

interface Props extends ButtonsProps {
  onClose(withFocus: boolean): void;
}

/** The menu of a row's permitted commands. */
export function RowMenu({ row, name, opened, actions, tools, onClose, ...may }: Props) {
  const bridge = useBridge();
  const site = useSite();
  const notify = useNotify();
  const track = useTrack();
  const { issueKey } = useHostContext();
  const { canEdit, canMove, canAdd, canDelete, canChangeStatus } = may;
  const last = actions.latest()?.rows.length ?? 0;
  // Restores the focus before the command runs: a deleted row passes it on.
  const act = (run: () => void) => () => {
    onClose(true);
    queueMicrotask(run);
  };
  const copy = async (key: string) => {
    const path = issuePath(key);
    // During the click, if the address is known: later some browsers do not permit it.
    const done = await (site === '' ? bridge.hostUrl(path).then(copyText, () => false) : copyText(site + path));
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
          <DropdownItem onClick={act(() => actions.setSection(row, { customers: !row.customers }))}>
            {row.customers ? 'Hide from customers' : 'Show to customers'}
          </DropdownItem>
        </DropdownItemGroup>
      ) : null}
      {canMove ? (
        <DropdownItemGroup hasSeparator>
          <DropdownItem onClick={act(() => tools.moveTo(row, 0))}>Move to top</DropdownItem>
          <DropdownItem onClick={act(() => tools.moveTo(row, last))}>Move to bottom</DropdownItem>
          {row.kind === 'checkbox' && hasSections(actions.latest()) ? (
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
      {row.kind === 'checkbox' && row.issueKeys.length > 0 ? (
        <Cached without={null}>
          <Following row={row} issueId={actions.issueId} canEdit={canEdit} />
        </Cached>
      ) : null}
    </Dropdown>
  );
}

interface FollowingProps {
  row: CheckboxRow;
  issueId: string;
  canEdit: boolean;
}

/**
 * Whether the item is completed with the issue that it was converted to. Last, since it shows when it is loaded. The menu
 * stays open: a failed change is said in it.
 */
function Following({ row, issueId, canEdit }: FollowingProps) {
  const graphql = useGraphql();
  const notify = useNotify();
  const client = useQueryClient();
  const queryKey = ['converted issues', issueId];
  const { data = [] } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      graphql.query(getConvertedIssues, { issueId }, signal).then(({ convertedIssues }) => convertedIssues),
    meta: { silent: true },
  });
  const id = useId();
  const [failure, setFailure] = useState<unknown>(undefined);
  const issue = data.find(({ issueKey }) => row.issueKeys.includes(issueKey));
  if (!issue) return null;
  const { issueKey, follows } = issue;
  const change = () => {
    setFailure(undefined);
    void sendFollowing(graphql, { issueId, issueKey, follows: !follows }).then(
      issues => {
        client.setQueryData(queryKey, issues);
        notify(follows ? whole.followsNot(issueKey) : whole.follows(issueKey), 'success');
      },
      error => {
        setFailure(error);
        notify(failureMessage(error, failures.updateChecklist), 'error');
      },
    );
  };
  return (
    <DropdownItemCheckboxGroup id={id} hasSeparator>
      <DropdownItemCheckbox id={`${id}-follows`} isSelected={follows} isDisabled={!canEdit} onClick={change}>
        Complete when {issueKey} is done
      </DropdownItemCheckbox>
      <Failure of={failure} words={failures.updateChecklist} />
    </DropdownItemCheckboxGroup>
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
