import { type ReactNode, useId, useRef, useState } from 'react';
import { PickInput, PickOption } from '../kit/pick-list.tsx';
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
  /** One line on what it is for. */
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
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  /** The id of the shown template, which stays when the list changes. */
  const [at, setAt] = useState<string | undefined>(undefined);
  const all = groups.flatMap(({ templates }) => templates);
  const found = all.findIndex(template => template.id === at);
  const chosen = Math.max(found, all.length > 0 ? 0 : -1);
  const shown = all[chosen];
  const why = shown && refusal?.(shown);
  const pick = (template: Template | undefined) => {
    if (!template) return;
    setAt(template.id);
    if (!refusal?.(template)) onPick(template);
  };
  const go = (to: number) => {
    setAt(all[to]?.id);
    const option = list.current?.querySelectorAll<HTMLElement>('[role=option]')[to];
    const { current: box } = list;
    if (!option || !box) return;
    // Only the list scrolls, never the frame or the tracker's page around it.
    const [top, end] = [option.offsetTop - box.offsetTop, option.offsetTop - box.offsetTop + option.offsetHeight];
    if (top < box.scrollTop) box.scrollTop = top;
    else if (end > box.scrollTop + box.clientHeight) box.scrollTop = end - box.clientHeight;
  };
  return (
    <div className="check-templates">
      <PickInput
        label="Find a template"
        list={id}
        count={all.length}
        chosen={chosen}
        value={search}
        onType={typed => {
          onSearch(typed);
          setAt(undefined);
        }}
        onMove={go}
        onPick={() => pick(shown)}
      />
      {status}
      <div className="check-templates-body" hidden={all.length === 0}>
        <div ref={list} id={id} role="listbox" aria-label="Templates" className="check-templates-list">
          {groups.map(({ label, templates }, group) =>
            templates.length === 0 ? null : (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox.
              <div key={label} role="group" aria-labelledby={`${id}-group-${group}`}>
                <p id={`${id}-group-${group}`} className="check-templates-group">
                  {label}
                </p>
                {templates.map(template => (
                  <PickOption
                    key={template.id}
                    list={id}
                    index={all.indexOf(template)}
                    selected={template === shown}
                    onHover={() => setAt(template.id)}
                    onPick={() => pick(template)}
                  >
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
