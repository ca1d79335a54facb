import { useEffect, useState } from 'react';
import { Select, TextInput } from '../../kit/form/form.tsx';
import type { Sort, TemplateView } from '../../model/templates/use-templates.ts';

/** Milliseconds without a key before a search begins. */
const PAUSE = 150;

const sorts: readonly { value: Sort; words: string }[] = [
  { value: 'NAME', words: 'By name' },
  { value: 'UPDATED', words: 'Last changed first' },
  { value: 'ITEMS', words: 'Most items first' },
];
const scopes = [
  { value: 'ALL', words: 'All' },
  { value: 'PROJECT', words: 'This project' },
  { value: 'GLOBAL', words: 'Whole site' },
] as const;

interface Props {
  view: TemplateView;
  /** Whether there is a project to tell from the site. */
  scoped: boolean;
  onView(view: TemplateView): void;
}

/** Which templates show, and in which order. */
export function FindTemplates({ view, scoped, onView }: Props) {
  const [typed, setTyped] = useState(view.search);
  useEffect(() => {
    if (typed === view.search) return undefined;
    const timer = setTimeout(() => onView({ ...view, search: typed }), PAUSE);
    return () => clearTimeout(timer);
  }, [typed, view, onView]);
  return (
    <div className="templates-find">
      <TextInput label="Search" value={typed} onChange={setTyped} />
      {scoped ? (
        <Select
          label="Show"
          value={view.scope}
          options={scopes}
          onChange={(scope: TemplateView['scope']) => onView({ ...view, scope })}
        />
      ) : null}
      <Select label="Order" value={view.sort} options={sorts} onChange={(sort: Sort) => onView({ ...view, sort })} />
    </div>
  );
}
