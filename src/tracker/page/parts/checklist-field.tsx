import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { FIELD_NAME } from '../../../domain/storage.ts';
import type { HostIssue } from '../../wire/site.ts';
import { saveChecklistText } from '../data/changes.ts';

/** The *Checklist Text* field as text, edited without the add-on. */
export function ChecklistField({ issue: { key, checklistText, mayEdit } }: { issue: HostIssue }) {
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const label = useId();
  const save = useMutation({
    mutationFn: (text: string) => saveChecklistText(key, text),
    onSuccess: () => setDraft(undefined),
  });
  const stop = () => {
    save.reset();
    setDraft(undefined);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') stop();
  };
  return (
    <>
      <dt id={label} className="wide">
        {FIELD_NAME}
        {mayEdit && draft === undefined && (
          <button
            type="button"
            className="link-button"
            aria-label={`Edit ${FIELD_NAME}`}
            onClick={() => setDraft(checklistText)}
          >
            Edit
          </button>
        )}
      </dt>
      <dd className="wide">
        {draft === undefined ? (
          <pre className={checklistText ? 'field-text' : 'field-text subtle'}>{checklistText || 'None'}</pre>
        ) : (
          <form
            onSubmit={event => {
              event.preventDefault();
              save.mutate(draft);
            }}
          >
            <textarea
              aria-labelledby={label}
              rows={8}
              // biome-ignore lint/a11y/noAutofocus: it stands where the button was that asked for it
              autoFocus
              value={draft}
              onChange={event => setDraft(event.target.value)}
              onKeyDown={onKey}
            />
            {save.error ? (
              <p className="trouble" role="alert">
                {save.error.message}
              </p>
            ) : null}
            <div className="buttons">
              <button type="submit" className="button" data-primary="true" disabled={save.isPending}>
                Save
              </button>
              <button type="button" className="button" onClick={stop}>
                Cancel
              </button>
            </div>
          </form>
        )}
      </dd>
    </>
  );
}
