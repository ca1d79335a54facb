import { type Extension, StateEffect, StateField, type TransactionSpec } from '@codemirror/state';
import { EditorView, type LayerMarker, layer } from '@codemirror/view';
import { element } from '../element.ts';

/** A collaborator at a row, by a position in it. */
export interface Collaborator {
  /** The account id, which gives the colour. */
  id: string;
  name: string;
  at: number;
}

const set = StateEffect.define<readonly Collaborator[]>({
  map: (collaborators, changes) =>
    collaborators.map(collaborator => ({ ...collaborator, at: changes.mapPos(collaborator.at, 1) })),
});

const field = StateField.define<readonly Collaborator[]>({
  create: () => [],
  update(collaborators, { changes, docChanged, effects }) {
    const given = effects.find(effect => effect.is(set));
    if (given) return given.value;
    return docChanged && collaborators.length > 0
      ? collaborators.map(collaborator => ({ ...collaborator, at: changes.mapPos(collaborator.at, 1) }))
      : collaborators;
  },
});

/** Sets the visible collaborators. */
export const setCollaborators = (collaborators: readonly Collaborator[]): TransactionSpec => ({
  effects: set.of(collaborators),
});

const colors = ['blue', 'teal', 'purple', 'magenta', 'orange', 'lime'] as const;
const fallbacks = {
  blue: ['#CFE1FD', '#123263'],
  teal: ['#C6EDFB', '#164555'],
  purple: ['#EED7FC', '#48245D'],
  magenta: ['#FDD0EC', '#50253F'],
  orange: ['#FCE4A6', '#693200'],
  lime: ['#D3F1A7', '#37471F'],
};

/** A collaborator's colour, the same in every window. */
const colorOf = (id: string) => colors[[...id].reduce((sum, sign) => sum + sign.charCodeAt(0), 0) % colors.length];

/**
 * A name tag at the right end of a row's first line, above the text: it moves no line and does not disturb input
 * methods.
 */
class Tag implements LayerMarker {
  private readonly names: string;
  private readonly color: string;
  private readonly top: number;
  private readonly left: number;

  constructor(names: string, color: string, top: number, left: number) {
    this.names = names;
    this.color = color;
    this.top = top;
    this.left = left;
  }

  eq(other: Tag): boolean {
    return (
      other.names === this.names && other.color === this.color && other.top === this.top && other.left === this.left
    );
  }

  draw(): HTMLElement {
    const tag = element('div', `cm-collaborator cm-collaborator-${this.color}`, this.names);
    this.place(tag);
    return tag;
  }

  update(tag: HTMLElement, old: Tag): boolean {
    if (old.names !== this.names || old.color !== this.color) return false;
    this.place(tag);
    return true;
  }

  private place(tag: HTMLElement) {
    tag.style.top = `${this.top}px`;
    tag.style.left = `${this.left}px`;
  }
}

function tagsIn(view: EditorView): Tag[] {
  const lines = new Map<number, Collaborator[]>();
  for (const collaborator of view.state.field(field)) {
    const { from } = view.state.doc.lineAt(Math.min(collaborator.at, view.state.doc.length));
    if (from < view.viewport.from || from > view.viewport.to) continue;
    lines.set(from, [...(lines.get(from) ?? []), collaborator]);
  }
  const { scrollDOM, documentPadding } = view;
  return [...lines].map(([from, collaborators]) => {
    const names = collaborators.map(({ name }) => name).join(', ');
    const color = colorOf(collaborators[0]?.id ?? '') ?? 'blue';
    const top = view.lineBlockAt(from).top + documentPadding.top;
    return new Tag(names, color, top, scrollDOM.clientWidth + scrollDOM.scrollLeft);
  });
}

const tags = layer({
  above: true,
  class: 'cm-collaborators',
  markers: tagsIn,
  update: ({ docChanged, viewportChanged, geometryChanged, transactions }) =>
    docChanged ||
    viewportChanged ||
    geometryChanged ||
    transactions.some(({ effects }) => effects.some(effect => effect.is(set))),
});

const look = EditorView.baseTheme({
  '.cm-collaborator': {
    maxWidth: '160px',
    padding: '0 6px',
    overflow: 'hidden',
    borderRadius: '3px 0 0 3px',
    fontSize: '11px',
    lineHeight: '16px',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    pointerEvents: 'none',
    transform: 'translateX(-100%)',
  },
  // Short lines are mostly full, and the tag covers their end.
  '@media (max-width: 480px)': { '.cm-collaborator': { maxWidth: '40px' } },
  ...Object.fromEntries(
    colors.map(color => [
      `.cm-collaborator-${color}`,
      {
        backgroundColor: `var(--ds-background-accent-${color}-subtler, ${fallbacks[color][0]})`,
        color: `var(--ds-text-accent-${color}-bolder, ${fallbacks[color][1]})`,
      },
    ]),
  ),
});

/** Name tags of collaborators at their rows. Hidden from screen readers: the application names them elsewhere. */
export const collaborators: Extension = [field, tags, look];
