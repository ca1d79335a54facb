import type { ReactNode, Ref } from 'react';
import { Select, TextInput } from '../../kit/form/form.tsx';
import { type Scope, scopeWords } from '../../model/templates/template-labels.ts';
import { Upgrade } from '../../shell/upgrade-link.tsx';
import type { TemplateForm } from './template-form.ts';
import { TemplateText } from './template-text.tsx';

interface Props {
  form: TemplateForm;
  /** The name field. */
  ref: Ref<HTMLInputElement>;
  /** Selectable scopes; none where the scope is fixed. */
  scopes: readonly Scope[];
  /** Why the scope has no capacity for another template. */
  full: string | undefined;
  /** No scope has capacity. */
  closed?: boolean;
  /** Whether the text is editable. */
  editable?: boolean;
  /** The text's validation error. */
  textError: string | undefined;
  hint?: ReactNode;
  onSave(): void;
}

/** The fields of a template: name, scope and text. */
export function TemplateFields({ form, ref, scopes, full, closed, editable = true, textError, hint, onSave }: Props) {
  const { opening, name, scope, change } = form;
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
          {textError}
        </span>
        {hint ? <span className="form-hint">{hint}</span> : null}
      </div>
    </>
  );
}
