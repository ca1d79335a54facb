import type { ReactNode } from 'react';
import { PickInput, PickOption, useSearchedList } from '../kit/pick-list.tsx';
import { itemWords } from '../model/templates/templates.ts';
import { TemplatePreview } from './row/static-row.tsx';

/** A template to choose. */
export interface PickedTemplate {
  id: string;
  name: string;
  items: number;
  /** `undefined` while it is not loaded. */
  text: string | undefined;
  /** Shown behind the name. */
  note?: string | undefined;
  /** The template's purpose, in one line. */
  about?: string | undefined;
}

export interface TemplateGroup<Template extends PickedTemplate> {
  label: string;
  templates: readonly Template[];
}

interface Props<Template extends PickedTemplate> {
  groups: readonly TemplateGroup<Template>[];
  search: string;
  onSearch(search: string): void;
  onPick(template: Template): void;
  /** Why a template cannot be picked. */
  refusal?: (template: Template) => ReactNode;
  /** Instead of templates: that they load, that there are none, or an error. */
  status: ReactNode;
  /** Buttons below. */
  children?: ReactNode;
}

/**
 * A search field with a list of templates, and a preview of the one that the pointer or the arrow keys are at. A click
 * or Enter picks it.
 */
export function TemplatePicker<Template extends PickedTemplate>(props: Props<Template>) {
  const { groups, search, onSearch, onPick, refusal, status, children } = props;
  const allTemplates = groups.flatMap(({ templates }) => templates);
  const searched = useSearchedList({
    options: allTemplates,
    keyOf: ({ id }) => id,
    onSearch,
    onPick: template => {
      if (!refusal?.(template)) onPick(template);
    },
  });
  const { id, chosen: shown } = searched;
  const why = shown && refusal?.(shown);
  return (
    <div className="check-templates">
      <PickInput label="Find a template" value={search} {...searched.field} />
      {status}
      <div className="check-templates-body" hidden={allTemplates.length === 0}>
        <div {...searched.list} role="listbox" aria-label="Templates" className="check-templates-list">
          {groups.map(({ label, templates }, group) =>
            templates.length === 0 ? null : (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox.
              <div key={label} role="group" aria-labelledby={`${id}-group-${group}`}>
                <p id={`${id}-group-${group}`} className="check-templates-group">
                  {label}
                </p>
                {templates.map(template => (
                  <PickOption key={template.id} {...searched.optionAt(allTemplates.indexOf(template))}>
                    <span dir="auto">{template.name}</span>{' '}
                    <span className="check-pick-why">
                      {template.note ? `${template.note}, ` : ''}
                      {itemWords(template.items)}
                    </span>
                  </PickOption>
                ))}
              </div>
            ),
          )}
        </div>
        <section
          className="check-templates-preview"
          aria-label={shown ? `Preview of ${shown.name}` : 'Preview'}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard.
          tabIndex={0}
        >
          {shown?.about === undefined ? null : <p className="check-pick-note">{shown.about}</p>}
          {shown?.text === undefined ? null : <TemplatePreview text={shown.text} />}
        </section>
      </div>
      <p className="check-templates-refused" role="alert">
        {why}
      </p>
      {children ? <div className="check-templates-foot">{children}</div> : null}
    </div>
  );
}
