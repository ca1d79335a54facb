import { useState } from 'react';
import type { TemplateFolder } from '../../../client/admin/template-views.ts';
import { Loading } from '../../kit/content-state.tsx';
import { Select } from '../../kit/form/form.tsx';
import { useRooms } from '../../model/templates/use-templates.ts';
import { useDraft } from '../form/template-form.tsx';
import { EditTemplate } from '../manager/edit-template.tsx';
import { folderKey, folderName } from './tree-nodes.ts';

interface Props {
  /** Folders with write permission; at least one. */
  folders: readonly TemplateFolder[];
  /** Project names by id. */
  names: ReadonlyMap<string, string>;
  /** Called after saving, with the new id, or after discarding. */
  onDone(made?: string): void;
}

/** The form for a new template, with a draft in the browser. */
export function NewTemplate({ folders, names, onDone }: Props) {
  const { draft, keep } = useDraft('smart-template-new');
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const folder = folders.find(({ projectId }) => folderKey(projectId) === chosen) ?? folders[0];
  const projectId = folder?.projectId ?? null;
  const rooms = useRooms(projectId ?? undefined);
  if (draft === undefined) return <Loading />;
  const scope = projectId === null ? 'global' : 'project';
  return (
    <div className="smart-new">
      <h2>New template</h2>
      {folders.length > 1 ? (
        <Select
          label="Folder"
          value={folderKey(projectId)}
          options={folders.map(each => ({
            value: folderKey(each.projectId),
            words: folderName(each.projectId, names),
          }))}
          hint={projectId === null ? 'Everyone on this site can see its name and text.' : undefined}
          onChange={setChosen}
        />
      ) : null}
      <EditTemplate
        key={folderKey(projectId)}
        draft={{ id: null, name: '', text: '', ...draft, scope }}
        scopes={[]}
        projectId={projectId ?? undefined}
        rooms={rooms}
        onTyped={keep}
        onDone={made => {
          keep(null);
          onDone(made);
        }}
      />
    </div>
  );
}
