import MoreIcon from '@atlaskit/icon/core/show-more-horizontal';
import { memo, useRef } from 'react';
import type { ListedTemplate } from '../../client/admin/templates.ts';
import { managing, templates as messages } from '../../domain/messages.ts';
import { ActionMenu, type MenuAction } from '../kit/action-menu.tsx';
import { download } from '../kit/copy-and-download.ts';
import { FormButtons } from '../kit/form/form.tsx';
import { InlineDialog } from '../kit/popover.tsx';
import { RowButton } from '../kit/sortable/sortable.tsx';
import { timeSince } from '../model/days.ts';
import { itemWords } from '../model/templates/templates.ts';
import type { useTemplateChanges } from '../model/templates/use-templates.ts';
import { useMinute } from '../model/today.ts';

interface EntryProps {
  template: ListedTemplate;
  mayChange: boolean;
  /** Its actions in groups, while its menu is open. */
  actions: readonly (readonly MenuAction[])[] | undefined;
  onOpen(template: ListedTemplate): void;
  /** Opens the menu of the template with that id, and closes any other. */
  onMenu(id: string | undefined): void;
}

/** The time since the last change; rerenders each minute. */
function LastChanged({ at }: { at: string }) {
  const now = useMinute();
  return (
    <span>
      Last changed <time dateTime={at}>{timeSince(Date.parse(at), now)}</time>
    </span>
  );
}

/** A template in a list: name, scope, length and last change. Memoized: only changed entries rerender. */
export const TemplateEntry = memo(({ template, mayChange, actions, onOpen, onMenu }: EntryProps) => {
  const { id, name, projectId, itemCount, isDefault, isGettingStarted, updated } = template;
  const more = useRef<HTMLButtonElement>(null);
  const close = (withFocus: boolean) => {
    onMenu(undefined);
    if (withFocus) more.current?.focus();
  };
  return (
    <>
      <span className="templates-name" dir="auto">
        {mayChange ? (
          <button type="button" className="templates-open" data-opens={id} onClick={() => onOpen(template)}>
            {name}
          </button>
        ) : (
          name
        )}
      </span>
      <span className="templates-about">
        {isDefault ? <span className="templates-mark">Default</span> : null}
        {isGettingStarted ? <span className="templates-mark">Getting started</span> : null}
        <span>{projectId === null ? 'Whole site' : 'Project'}</span>
        <span>{itemWords(itemCount)}</span>
        <LastChanged at={updated} />
      </span>
      {mayChange ? (
        <span className="check-status-control templates-more">
          <RowButton
            ref={more}
            icon={MoreIcon}
            label={`Actions for ${name}`}
            data-menu={id}
            aria-haspopup="menu"
            aria-expanded={actions !== undefined}
            onClick={() => onMenu(id)}
          />
          {actions ? <ActionMenu label={`Actions for ${name}`} actions={actions} onClose={close} /> : null}
        </span>
      ) : null}
    </>
  );
});

export type TemplateChanges = ReturnType<typeof useTemplateChanges>;

interface Options {
  changes: TemplateChanges;
  /** The current project. */
  projectId: string | undefined;
  isAdmin: boolean;
  onEdit(template: ListedTemplate): void;
  /** Asks for confirmation before the template moves to the site, or to this project only. */
  onMove(template: ListedTemplate): void;
  onDeleted(template: ListedTemplate): void;
}

/** A name with characters and length that file names permit. */
const fileName = (name: string): string =>
  `${name
    .replace(/[\\/:*?"<>|]+/g, ' ')
    .trim()
    .slice(0, 80)}.json`;

/** The actions of a template in a list, in groups as in its menu, for users who can change it. */
export function useActions({ changes, projectId, isAdmin, onEdit, onMove, onDeleted }: Options) {
  return (template: ListedTemplate): MenuAction[][] => {
    const { id, name, projectId: of, isDefault } = template;
    const onlyIf = (may: boolean, label: string, run: () => void): MenuAction[] => (may ? [{ label, run }] : []);
    const exported = () =>
      changes.exportFile.mutate(
        { projectId: of, ids: [id] },
        { onSuccess: file => download(fileName(name), 'application/json', file) },
      );
    return [
      [
        { label: 'Edit', run: () => onEdit(template) },
        { label: 'Duplicate', run: () => changes.duplicate.mutate({ id }) },
        {
          label: isDefault ? 'Remove as default' : 'Set as default',
          // On the site's screen a project's template becomes the default of that project.
          run: () => changes.setDefault.mutate({ projectId: projectId ?? of, templateId: isDefault ? null : id }),
        },
        ...onlyIf(isAdmin && of !== null, 'Make site template…', () => onMove(template)),
        ...onlyIf(isAdmin && of === null && projectId !== undefined, 'Make project template…', () => onMove(template)),
        { label: 'Export', run: exported },
      ],
      [{ label: 'Delete', run: () => changes.remove.mutate(id, { onSuccess: () => onDeleted(template) }) }],
    ];
  };
}

interface ConfirmMoveProps {
  template: ListedTemplate;
  busy: boolean;
  /** Rejects where the template has not moved. */
  onMove(): Promise<unknown>;
  onClose(): void;
}

/** Says who can see a template after it moves to the site or to a project only. */
export function ConfirmMove({ template, busy, onMove, onClose }: ConfirmMoveProps) {
  const opens = template.projectId !== null;
  const text = opens ? (
    <>
      Make “<span dir="auto">{template.name}</span>” a site template? {messages.readBySite}
    </>
  ) : (
    <>
      Make “<span dir="auto">{template.name}</span>” a project template? Other projects can no longer use it. Existing
      checklists stay as they are.
    </>
  );
  return (
    <InlineDialog className="templates-question" text={text} onClose={onClose}>
      <FormButtons
        save={opens ? 'Make site template' : 'Make project template'}
        busy={busy}
        onSave={onMove}
        failed={managing.updateTemplate}
        onCancel={onClose}
      />
    </InlineDialog>
  );
}
