import Button from '@atlaskit/button/new';
import type { ListedTemplate } from '../../client/admin/templates.ts';
import type { MenuAction } from '../kit/action-menu.tsx';
import { download } from '../kit/copy-and-download.ts';
import { InlineDialog } from '../kit/popover.tsx';
import type { useTemplateChanges } from '../model/templates/use-templates.ts';

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
export const fileName = (name: string): string =>
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

interface Props {
  template: ListedTemplate;
  busy: boolean;
  onMove(): void;
  onClose(): void;
}

/** Says who can see a template after it moves to the site or to a project only. */
export function ConfirmMove({ template, busy, onMove, onClose }: Props) {
  const opens = template.projectId !== null;
  const text = opens ? (
    <>
      Make “<span dir="auto">{template.name}</span>” a site template? Everyone on this site can see its name and text.
    </>
  ) : (
    <>
      Make “<span dir="auto">{template.name}</span>” a project template? Other projects can no longer use it. Existing
      checklists stay as they are.
    </>
  );
  return (
    <InlineDialog className="templates-question" text={text} onClose={onClose}>
      <div className="form-buttons">
        <Button appearance="primary" isLoading={busy} onClick={onMove}>
          {opens ? 'Make site template' : 'Make project template'}
        </Button>
        <Button appearance="subtle" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </InlineDialog>
  );
}
