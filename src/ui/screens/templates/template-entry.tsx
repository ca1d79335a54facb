import MoreIcon from '@atlaskit/icon/core/show-more-horizontal';
import { memo, useRef, useState } from 'react';
import type { ListedTemplate } from '../../../client/admin/templates.ts';
import { deletion as consequences, managing, templates as messages } from '../../../domain/messages.ts';
import { ActionMenu, type MenuAction } from '../../kit/action-menu.tsx';
import { download } from '../../kit/copy-and-download.ts';
import { Failure, FormButtons } from '../../kit/form/form.tsx';
import { InlineDialog } from '../../kit/popover.tsx';
import { RowButton } from '../../kit/sortable/sortable.tsx';
import { timeSince } from '../../model/days.ts';
import { itemWords } from '../../model/templates/templates.ts';
import type { useTemplateChanges } from '../../model/templates/use-templates.ts';
import { useMinute } from '../../model/today.ts';

interface EntryProps {
  template: ListedTemplate;
  mayChange: boolean;
  /** Its actions in groups, while its menu is open. */
  actions: readonly (readonly MenuAction[])[] | undefined;
  /** The last action of a menu that failed. */
  failed: FailedAction | undefined;
  onOpen(template: ListedTemplate): void;
  /** Opens the menu of the template with that id, and closes any other. */
  onMenu(id: string | undefined): void;
}

/** The time since the last change; rerenders each minute. */
function LastChanged({ at }: { at: string }) {
  const nowMs = useMinute();
  return (
    <span>
      Last changed <time dateTime={at}>{timeSince(Date.parse(at), nowMs)}</time>
    </span>
  );
}

/** A template in a list: name, scope, length and last change. Memoized: only changed entries rerender. */
export const TemplateEntry = memo(({ template, mayChange, actions, failed, onOpen, onMenu }: EntryProps) => {
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
      <ActionFailure of={id} failed={failed} />
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

/** An action of a template's menu that failed. */
export interface FailedAction {
  template: string;
  error: unknown;
  /** Says what failed, if the server gives no reason. */
  words: string;
}

interface ActionFailureProps {
  /** The template's id. */
  of: string;
  failed: FailedAction | undefined;
}

/** Why the last action of a template's menu failed, until the next action of any template. */
export const ActionFailure = ({ of, failed }: ActionFailureProps) =>
  failed?.template === of ? <Failure of={failed.error} words={failed.words} /> : null;

/** A deletion that waits for an answer, because the template is used. */
interface Deletion {
  template: ListedTemplate;
  /** Its consequences. */
  text: string;
}

/**
 * The actions of a template in a list, in groups as in its menu, for users who can change it; the last action, if it has
 * failed; and the deletion that waits for an answer, if any.
 */
export function useActions({ changes, projectId, isAdmin, onEdit, onMove, onDeleted }: Options) {
  const [failed, setFailed] = useState<FailedAction | undefined>(undefined);
  const [deletion, setDeletion] = useState<Deletion | undefined>(undefined);
  const { duplicate, setDefault, exportFile, remove, usageOf } = changes;
  const deleteNow = async (template: ListedTemplate) => {
    await remove.mutateAsync(template.id);
    onDeleted(template);
  };
  /** Deletes an unused template, which can be undone; asks before any other is deleted. */
  const askToDelete = async (template: ListedTemplate) => {
    const { id, isDefault, projectId: of } = template;
    const { issueCount, rules } = await usageOf({ id, projectId: of ?? projectId ?? null });
    const uses = { issues: issueCount, rules: rules?.length ?? 0, isDefault };
    if (uses.issues === 0 && uses.rules === 0 && !isDefault) return deleteNow(template);
    setDeletion({ template, text: consequences.consequences(uses) });
  };
  const actionsOf = (template: ListedTemplate): MenuAction[][] => {
    const { id, name, projectId: of, isDefault } = template;
    /** Runs a change that says its failure at the template. */
    const act = async <Value,>(words: string, change: () => Promise<Value>, done?: (value: Value) => void) => {
      setFailed(undefined);
      try {
        const value = await change();
        done?.(value);
      } catch (error) {
        setFailed({ template: id, error, words });
      }
    };
    const onlyIf = (may: boolean, label: string, run: () => void): MenuAction[] => (may ? [{ label, run }] : []);
    const templateId = isDefault ? null : id;
    return [
      [
        { label: 'Edit', run: () => onEdit(template) },
        { label: 'Duplicate', run: () => void act(managing.createTemplate, () => duplicate.mutateAsync({ id })) },
        {
          label: isDefault ? 'Remove as default' : 'Set as default',
          // On the site's screen a project's template becomes the default of that project.
          run: () =>
            void act(managing.updateTemplate, () => setDefault.mutateAsync({ projectId: projectId ?? of, templateId })),
        },
        ...onlyIf(isAdmin && of !== null, 'Make site template…', () => onMove(template)),
        ...onlyIf(isAdmin && of === null && projectId !== undefined, 'Make project template…', () => onMove(template)),
        {
          label: 'Export',
          run: () =>
            void act(
              managing.getTemplates,
              () => exportFile.mutateAsync({ projectId: of, ids: [id] }),
              file => download(fileName(name), 'application/json', file),
            ),
        },
      ],
      [
        {
          label: 'Delete',
          run: () => void act(managing.deleteTemplate, () => askToDelete(template)),
        },
      ],
    ];
  };
  return {
    actionsOf,
    failed,
    deletion: deletion && {
      ...deletion,
      busy: remove.isPending,
      onDelete: () => deleteNow(deletion.template).then(() => setDeletion(undefined)),
      onClose: () => setDeletion(undefined),
    },
  };
}

type DeletionProps = NonNullable<ReturnType<typeof useActions>['deletion']>;

/** Says what becomes of the issues and rules that use a template, before it is deleted. */
export const ConfirmDeletion = ({ template, text, busy, onDelete, onClose }: DeletionProps) => (
  <InlineDialog
    className="templates-question"
    text={
      <>
        Delete “<span dir="auto">{template.name}</span>”? {text}
      </>
    }
    onClose={onClose}
  >
    <FormButtons
      save="Delete template"
      appearance="danger"
      busy={busy}
      onSave={onDelete}
      failed={managing.deleteTemplate}
      onCancel={onClose}
    />
  </InlineDialog>
);

interface RestoreFailureProps {
  of: TemplateChanges;
  /** The template that Undo restores. */
  deleted: ListedTemplate | undefined;
}

/** Beside the Undo of a deletion: why it failed, until the next try. */
export const RestoreFailure = ({ of: { restore }, deleted }: RestoreFailureProps) => (
  <Failure of={restore.variables === deleted?.id && restore.error} words={managing.updateTemplate} />
);

interface ConfirmMoveProps {
  template: ListedTemplate;
  busy: boolean;
  /** Rejects if the template has not moved. */
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
