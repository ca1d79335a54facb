import {
  DropdownItem,
  DropdownItemCheckbox,
  DropdownItemCheckboxGroup,
  DropdownItemGroup,
} from '@atlaskit/dropdown-menu';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState, useSyncExternalStore } from 'react';
import { getConvertedIssues, sendFollowing } from '../../../client/conversions.ts';
import { createEnforcementStore } from '../../../client/enforcement/store.ts';
import { failureMessage } from '../../../client/errors.ts';
import { failures, whole } from '../../../domain/messages.ts';
import type { CheckboxRow, Checklist, Row } from '../../../text/types.ts';
import { menuGroups } from '../../commands/command.ts';
import { ActionMenu, Dropdown } from '../../kit/action-menu.tsx';
import { Failure } from '../../kit/form/form.tsx';
import { nameOf } from '../../model/rows/row-segments.ts';
import { useSite } from '../../shell/navigation/links.tsx';
import { Cached } from '../../shell/services/query-client.tsx';
import { useGraphql, useNotify, useServices } from '../../shell/services/services.ts';
import { type ButtonsProps, useRowCommands } from './row-buttons.tsx';

interface Props extends ButtonsProps {
  onClose(withFocus: boolean): void;
}

/** The menu of a row's permitted commands. */
export function RowMenu({ onClose, ...props }: Props) {
  const { row, name, actions, canEdit } = props;
  const store = useServices().once(createEnforcementStore);
  useSyncExternalStore(store.subscribe, store.get);
  const commands = useRowCommands(props)(useSite());
  return (
    <ActionMenu label={`Actions for ${name}`} actions={menuGroups(commands)} onClose={onClose}>
      {row.kind === 'checkbox' && row.issueKeys.length > 0 ? (
        <Cached without={null}>
          <Following row={row} issueId={actions.issueId} canEdit={canEdit} />
        </Cached>
      ) : null}
    </ActionMenu>
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
  /** The name of the rows to move. */
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
