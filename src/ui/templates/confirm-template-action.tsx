import Button from '@atlaskit/button/new';
import type { ListedTemplate } from '../../client/admin/templates.ts';
import { InlineDialog } from '../kit/inline-dialog.tsx';

interface Props {
  template: ListedTemplate;
  busy: boolean;
  onMove(): void;
  onClose(): void;
}

/** Says who sees a template then, before it becomes one of the site or of a project only. */
export function MoveQuestion({ template, busy, onMove, onClose }: Props) {
  const opens = template.projectId !== null;
  const text = opens ? (
    <>
      Make “<span dir="auto">{template.name}</span>” a template of the whole site? Then everyone on this site sees its
      name and text, in every project.
    </>
  ) : (
    <>
      Make “<span dir="auto">{template.name}</span>” a template of this project only? Then no other project can use it
      any more. Checklists that were made with it stay.
    </>
  );
  return (
    <InlineDialog className="templates-question" text={text} onClose={onClose}>
      <div className="form-buttons">
        <Button appearance="primary" isLoading={busy} onClick={onMove}>
          {opens ? 'Make it for the whole site' : 'Make it for this project'}
        </Button>
        <Button appearance="subtle" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </InlineDialog>
  );
}
