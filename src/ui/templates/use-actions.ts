import type { ListedTemplate } from '../../client/admin/templates.ts';
import { download } from '../parts/download.ts';
import type { EntryAction } from './entry.tsx';
import type { useTemplateChanges } from './use-templates.ts';

export type TemplateChanges = ReturnType<typeof useTemplateChanges>;

interface Options {
  changes: TemplateChanges;
  /** From where one looks. */
  projectId: string | undefined;
  isAdmin: boolean;
  onEdit(template: ListedTemplate): void;
  /** Asks whether it is to be for the site, or for this project only. */
  onMove(template: ListedTemplate): void;
  onDeleted(template: ListedTemplate): void;
}

/** A name as a file can bear it. */
export const fileName = (name: string): string =>
  `${name
    .replace(/[\\/:*?"<>|]+/g, ' ')
    .trim()
    .slice(0, 80)}.json`;

/** What somebody may do to a template of a list, in groups as its menu shows them. */
export function useActions({ changes, projectId, isAdmin, onEdit, onMove, onDeleted }: Options) {
  return (template: ListedTemplate, mayChange: boolean): EntryAction[][] => {
    const { id, name, projectId: of, isDefault } = template;
    const offer = (may: boolean, label: string, run: () => void): EntryAction[] => (may ? [{ label, run }] : []);
    const exported = () =>
      changes.exportFile.mutate(
        { projectId: of, ids: [id] },
        { onSuccess: file => download(fileName(name), 'application/json', file) },
      );
    return [
      [
        ...offer(mayChange, 'Edit', () => onEdit(template)),
        ...offer(mayChange, 'Duplicate', () => changes.duplicate.mutate({ id })),
        ...offer(mayChange, isDefault ? 'No longer offer first' : 'Offer first', () =>
          changes.setDefault.mutate({ projectId: projectId ?? null, templateId: isDefault ? null : id }),
        ),
        ...offer(isAdmin && of !== null, 'Make it for the whole site…', () => onMove(template)),
        ...offer(isAdmin && of === null && projectId !== undefined, 'Make it for this project only…', () =>
          onMove(template),
        ),
        ...offer(mayChange, 'Export as a file', exported),
      ],
      offer(mayChange, 'Delete', () => changes.remove.mutate(id, { onSuccess: () => onDeleted(template) })),
    ].filter(group => group.length > 0);
  };
}
