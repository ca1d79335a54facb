import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Select, TextInput } from '../kit/form/form.tsx';
import { ProjectField } from '../model/projects.tsx';
import { type GadgetConfig, type GadgetGroup, gadgetGroups } from './gadget-config.ts';

const groups: Record<GadgetGroup, string> = {
  issue: 'Progress by issue',
  person: 'Progress by person',
  overdue: 'Overdue items',
};

interface Props {
  config: GadgetConfig;
  busy: boolean;
  error: string | undefined;
  onSave(config: GadgetConfig): void;
  /** Missing for a new gadget. */
  onCancel: (() => void) | undefined;
}

/** The configuration of a gadget. */
export function GadgetForm({ config, busy, error, onSave, onCancel }: Props) {
  const [values, setValues] = useState(config);
  const change = (next: Partial<GadgetConfig>) => setValues({ ...values, ...next });
  return (
    <form
      className="form"
      aria-label="Gadget"
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (!busy) onSave(values);
      }}
    >
      <ProjectField
        label="Project"
        chosen={values.project?.name ?? ''}
        hint={values.project ? undefined : 'Without a project, the gadget shows all projects.'}
        onChoose={({ id, name }) => change({ project: { id, name } })}
      />
      {values.project ? <Button onClick={() => change({ project: null })}>Show all projects</Button> : null}
      <TextInput
        label="Filter"
        value={values.jql}
        maxLength={2000}
        hint="Shows only issues that match this JQL, for example: status != Done. Leave out ORDER BY."
        onChange={jql => change({ jql })}
      />
      <Select
        label="Show"
        value={values.group}
        options={gadgetGroups.map(value => ({ value, words: groups[value] }))}
        onChange={group => change({ group })}
      />
      <p className="form-error" role="alert">
        {error}
      </p>
      <div className="form-buttons">
        <Button appearance="primary" busy={busy} onClick={() => onSave(values)}>
          Save gadget
        </Button>
        {onCancel ? (
          <Button appearance="subtle" onClick={onCancel}>
            Cancel
          </Button>
        ) : null}
      </div>
    </form>
  );
}
