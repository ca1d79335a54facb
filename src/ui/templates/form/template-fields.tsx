import type { ReactNode, Ref } from 'react';
import { Select, TextInput } from '../../kit/form/form.tsx';
import { type Scope, scopeWords } from '../../model/templates/template-labels.ts';
import { Upgrade } from '../../shell/upgrade-link.tsx';
import type { TemplateForm } from './template-form.ts';
import { TemplateText } from './template-text.tsx';

interface Props {
  written: TemplateForm;
  /** The name's. */
  ref: Ref<HTMLInputElement>;
  /** For whom it can be; none where that stays as it is. */
  scopes: readonly Scope[];
  /** Why there is no room for another one. */
  full: string | undefined;
  /** No scope has room. */
  closed?: boolean;
  /** Whether the text can be changed. */
  editable?: boolean;
  /** What is wrong with the text. */
  trouble: string | undefined;
  hint?: ReactNode;
  onSave(): void;
}

/** What a template consists of, to be written: its name, whom it is for, its text. */
export function TemplateFields({ written, ref, scopes, full, closed, editable = true, trouble, hint, onSave }: Props) {
  const { opening, name, scope, change } = written;
  return (
    <>
      {full === undefined ? null : (
        <p className="templates-full" role="status">
          {full} <Upgrade />
        </p>
      )}
      <TextInput
        ref={ref}
        label="Name"
        value={name.value}
        error={name.error}
        autoFocus
        disabled={closed ?? false}
        onChange={value => change({ name: value })}
      />
      {scopes.length > 0 ? (
        <Select<Scope>
          label="Who can use it"
          value={scope}
          options={scopes.map(value => ({ value, words: scopeWords[value] }))}
          hint={scope === 'global' ? 'Everybody on this site sees its name and text.' : undefined}
          onChange={value => change({ scope: value })}
        />
      ) : null}
      <div className="form-field template-field">
        <span className="form-label">Text</span>
        <TemplateText
          label="Text of the template"
          text={opening.text}
          editable={editable}
          onChange={value => change({ text: value })}
          onSave={onSave}
        />
        <span className="form-error" role="alert">
          {trouble}
        </span>
        {hint ? <span className="form-hint">{hint}</span> : null}
      </div>
    </>
  );
}
