import { type Extension, StateEffect, StateField, type TransactionSpec } from '@codemirror/state';
import { EditorView, type LayerMarker, layer } from '@codemirror/view';
import { element } from '../element.ts';

/** Somebody else who is at a row, by a position in it. */
export interface Peer {
  /** The same for the same person, since it gives the colour. */
  id: string;
  name: string;
  at: number;
}

const set = StateEffect.define<readonly Peer[]>({
  map: (peers, changes) => peers.map(peer => ({ ...peer, at: changes.mapPos(peer.at, 1) })),
});

const field = StateField.define<readonly Peer[]>({
  create: () => [],
  update(peers, { changes, docChanged, effects }) {
    const given = effects.find(effect => effect.is(set));
    if (given) return given.value;
    return docChanged && peers.length > 0 ? peers.map(peer => ({ ...peer, at: changes.mapPos(peer.at, 1) })) : peers;
  },
});

/** Says who is where; before, nobody is shown. */
export const setPeers = (peers: readonly Peer[]): TransactionSpec => ({ effects: set.of(peers) });

const colors = ['blue', 'teal', 'purple', 'magenta', 'orange', 'lime'] as const;
const fallbacks = {
  blue: ['#CFE1FD', '#123263'],
  teal: ['#C6EDFB', '#164555'],
  purple: ['#EED7FC', '#48245D'],
  magenta: ['#FDD0EC', '#50253F'],
  orange: ['#FCE4A6', '#693200'],
  lime: ['#D3F1A7', '#37471F'],
};

/** A person's colour, the same in every window. */
const colorOf = (id: string) => colors[[...id].reduce((sum, sign) => sum + sign.charCodeAt(0), 0) % colors.length];

/** A tag at the right end of a row's first line, above the text and no part of it: no line moves, no input method minds. */
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
    const tag = element('div', `cm-peer cm-peer-${this.color}`, this.names);
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
  const lines = new Map<number, Peer[]>();
  for (const peer of view.state.field(field)) {
    const { from } = view.state.doc.lineAt(Math.min(peer.at, view.state.doc.length));
    if (from < view.viewport.from || from > view.viewport.to) continue;
    lines.set(from, [...(lines.get(from) ?? []), peer]);
  }
  const { scrollDOM, documentPadding } = view;
  return [...lines].map(([from, peers]) => {
    const names = peers.map(({ name }) => name).join(', ');
    const color = colorOf(peers[0]?.id ?? '') ?? 'blue';
    const top = view.lineBlockAt(from).top + documentPadding.top;
    return new Tag(names, color, top, scrollDOM.clientWidth + scrollDOM.scrollLeft);
  });
}

const tags = layer({
  above: true,
  class: 'cm-peers',
  markers: tagsIn,
  update: ({ docChanged, viewportChanged, geometryChanged, transactions }) =>
    docChanged ||
    viewportChanged ||
    geometryChanged ||
    transactions.some(({ effects }) => effects.some(effect => effect.is(set))),
});

const look = EditorView.baseTheme({
  '.cm-peer': {
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
  // Where lines are short they are mostly full, and the tag lies over their end.
  '@media (max-width: 480px)': { '.cm-peer': { maxWidth: '40px' } },
  ...Object.fromEntries(
    colors.map(color => [
      `.cm-peer-${color}`,
      {
        backgroundColor: `var(--ds-background-accent-${color}-subtler, ${fallbacks[color][0]})`,
        color: `var(--ds-text-accent-${color}-bolder, ${fallbacks[color][1]})`,
      },
    ]),
  ),
});

/**
 * Small tags with the names of others at the rows where they are. Nothing for those who hear the page: whoever uses this
 * says in words elsewhere who is where.
 */
export const peers: Extension = [field, tags, look];

/** Who is shown, at which position now. */
export const peersOf = (view: EditorView): readonly Peer[] => view.state.field(field, false) ?? [];
