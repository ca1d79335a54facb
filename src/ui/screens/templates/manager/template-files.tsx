import Button from '@atlaskit/button/new';
import { useRef, useState } from 'react';
import { managing } from '../../../../domain/messages.ts';
import { download } from '../../../kit/copy-and-download.ts';
import { Failure, Select } from '../../../kit/form/form.tsx';
import { type Scope, scopeWords } from '../../../model/templates/templates.ts';
import type { TemplateChanges } from '../template-entry.tsx';

interface Props {
  changes: TemplateChanges;
  scopes: readonly Scope[];
  projectId: string | undefined;
}

const words = (count: number) =>
  count === 1 ? '1 template was imported.' : `${count === 0 ? 'No' : count} templates were imported.`;

/** Exports templates to a file and imports them from one. */
export function TemplateFiles({ changes, scopes, projectId }: Props) {
  const { importFile, exportFile } = changes;
  const input = useRef<HTMLInputElement>(null);
  const [scope, setScope] = useState<Scope>(scopes[0] ?? 'project');
  const target = scope === 'project' ? (projectId ?? null) : null;
  const take = (file: File) => {
    importFile.mutate({ projectId: target, file });
  };
  const { data } = importFile;
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="Template file"
        onChange={({ target: { files, value }, currentTarget }) => {
          const [file] = files ?? [];
          if (file && value) take(file);
          // Lets the user choose the same file again.
          currentTarget.value = '';
        }}
      />
      <Button isLoading={importFile.isPending} onClick={() => input.current?.click()}>
        Import file…
      </Button>
      <Button
        isLoading={exportFile.isPending}
        onClick={() =>
          exportFile.mutate(
            { projectId: target, ids: null },
            { onSuccess: file => download('templates.json', 'application/json', file) },
          )
        }
      >
        Export all
      </Button>
      {scopes.length > 1 ? (
        <span className="templates-files">
          <Select<Scope>
            label="Import and export templates of"
            value={scope}
            options={scopes.map(value => ({ value, words: scopeWords[value] }))}
            onChange={setScope}
          />
        </span>
      ) : null}
      <Failure of={importFile.error} words={managing.createTemplate} />
      <Failure of={exportFile.error} words={managing.getTemplates} />
      {data ? (
        <div className={data.notTaken.length > 0 ? 'templates-done templates-partly' : 'templates-done'} role="status">
          {words(data.templates.length)}
          {data.notTaken.length > 0 ? ' Not imported:' : null}
          {data.notTaken.length > 0 ? (
            <ul>
              {data.notTaken.map(({ name, message }) => (
                <li key={name}>
                  <span dir="auto">{name}</span>: {message}
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      ) : null}
    </>
  );
}
