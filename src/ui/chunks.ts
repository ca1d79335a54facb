import type { Rolldown } from 'vite';

type Context = Rolldown.ChunkingContext;
type Group = Exclude<Rolldown.CodeSplittingOptions['groups'], undefined>[number];

const isPackage = (id: string) => id.includes('/node_modules/');
const isKit = (id: string) => id.includes('/node_modules/@atlaskit/');
const isReact = (id: string) => /\/node_modules\/(react|react-dom|scheduler)\//.test(id);
const isVirtualList = (id: string) => /@tanstack\/(react-virtual|virtual-core)\/|\/kit\/virtual-list\.ts$/.test(id);
const isEditor = (id: string) =>
  /@codemirror|@lezer|\/(src\/editor|text-editor|grammar)\/|style-mod|w3c-keyname|crelt/.test(id);
/** The index re-exports all messages; most modules use a few. */
const isIndex = (id: string) => id.endsWith('/domain/messages.ts');

/**
 * Purposes of lazily loaded parts, and the dynamic imports that each needs, below `src`: files or folders. In the order
 * in which a panel loads them, then screens.
 */
const purposes = {
  // The first load: the panel with its rows.
  panel: ['ui/screens/panel/panel.tsx'],
  // The bridge of the other host.
  forge: ['bridge/forge.ts'],
  // The imports of all screens but the panel.
  'screen-list': ['ui/screens/screens.ts'],
  // Events for analytics; requested with the first load, which does not wait for it.
  analytics: ['client/analytics.ts'],
  // The server's answers and events, and the question about unsaved edits; requested with the session, possibly before
  // the rows: needs nothing that follows.
  queries: ['ui/shell/services/', 'ui/shell/navigation/', 'client/live/live.ts', 'bridge/stream.ts'],
  // Directly after the rows: input, toolbar, buttons of the rows.
  'panel-tools': [
    'ui/screens/panel/bar.tsx',
    'ui/screens/panel/foot.tsx',
    'ui/screens/panel/checklist-actions/panel-tools.tsx',
    'ui/checklist/add/add-item.tsx',
    'ui/checklist/row/row-buttons.tsx',
    'ui/checklist/row/edit.tsx',
    'ui/checklist/inline/',
    'ui/checklist/list/list-keys.ts',
    'ui/kit/atlaskit-button.tsx',
  ],
  // Sending changes and receiving foreign changes, after the first rows.
  changes: [
    'client/outbox/',
    'client/live/foreign-changes.ts',
    'ui/model/checklist/',
    'ui/checklist/row/row-notes.tsx',
  ],
  // Templates to apply: below an empty checklist, else with the pointer over their button.
  launcher: ['ui/screens/panel/checklist-actions/launcher.tsx'],
  // Loaded by a pointer or an error in the panel: dragging, menus, pickers, messages.
  'panel-menus': [
    'ui/checklist/list/drag.tsx',
    'ui/checklist/rejected-changes.tsx',
    'ui/kit/atlaskit-message.tsx',
    'ui/checklist/row/row-layers.tsx',
    'ui/checklist/row/enforcement-note.tsx',
    'ui/checklist/row/assignee-picker.tsx',
    'ui/screens/panel/checklist-actions/',
    'ui/text-editor/days.tsx',
  ],
  // Data and converters that few users need, each large.
  emoji: ['text/emoji/'],
  dates: ['editor/complete/phrases.ts', 'editor/complete/day-words.ts'],
  convert: ['text/convert/clip.ts'],
  // Modules that several screens share, and the portal.
  screens: ['ui/shell/plain-pages.tsx', 'ui/screens/panel/portal.tsx'],
  // Text fields with completions, and what else needs CodeMirror.
  editor: [
    'ui/checklist/row/text-field.tsx',
    'ui/checklist/add/add-field.tsx',
    'ui/screens/history/revision-difference.tsx',
    'ui/text-editor/',
  ],
  // One for each screen, or for a few small ones of one subject.
  help: ['ui/screens/help/'],
  'editor-screen': ['ui/screens/editor/'],
  'smart-templates': ['ui/screens/templates/smart/'],
  templates: ['ui/screens/templates/'],
  hierarchy: ['ui/screens/hierarchy/'],
  history: ['ui/screens/history/'],
  assigned: ['ui/screens/assigned-items/', 'ui/screens/notifications/'],
  automation: ['ui/screens/automation/'],
  settings: ['ui/screens/settings/'],
  // Frames of single modules. Few users need each, and every chunk's name stands in the first load, as do the names of
  // those that the bridge's part needs: none.
  modules: ['ui/screens/workflow-rule/', 'ui/screens/gadget/'],
  'bridge-modules': ['bridge/connect-modules.ts', 'bridge/forge-modules.ts'],
} satisfies Record<string, readonly string[]>;

type Purpose = keyof typeof purposes;

const inOrder = Object.keys(purposes) as Purpose[];
/** Parts of the first load, left to the bundler: the size test and the page for Forge find them by their files. */
const isFirst = (name: Name) => name === 'panel' || name === 'forge';

/** Packages in chunks of their own, since screens need them without the panel's code. */
const packagesOf = { 'panel-tools': 'controls', 'panel-menus': 'menus' } as const;
const hasPackages = (purpose: Purpose): purpose is keyof typeof packagesOf => purpose in packagesOf;

type Name = Purpose | 'react' | 'start' | 'shared' | 'virtual-list' | (typeof packagesOf)[keyof typeof packagesOf];

/** The chunks by priority: the bundler puts a module and its imports into the first chunk that matches. */
const names: readonly Name[] = [
  ...(['react', 'start', 'shared', 'virtual-list'] as const),
  ...inOrder.flatMap(purpose => (hasPackages(purpose) ? [packagesOf[purpose], purpose] : [purpose])),
];

const imported = (context: Context, id: string): readonly string[] => context.getModuleInfo(id)?.importedIds ?? [];

/** The modules that are statically reachable from the roots; `leave` stops at a module. */
function closure(
  context: Context,
  roots: readonly string[],
  leave: (id: string) => boolean = () => false,
  found = new Set<string>(),
): Set<string> {
  for (const id of roots) {
    if (found.has(id) || leave(id)) continue;
    found.add(id);
    closure(context, imported(context, id), leave, found);
  }
  return found;
}

/** All modules that are dynamically imported from `main`, directly or indirectly. */
function dynamicEntries(context: Context, main: string): Set<string> {
  const entries = new Set([main]);
  const modules = new Set<string>();
  for (const entryId of entries) {
    for (const id of closure(context, [entryId], known => modules.has(known))) {
      modules.add(id);
      for (const dynamic of context.getModuleInfo(id)?.dynamicallyImportedIds ?? []) entries.add(dynamic);
    }
  }
  entries.delete(main);
  return entries;
}

/**
 * The chunk of a module that these purposes need, in their order: that of the first one, so that no chunk imports one
 * that is loaded later. What several screens share is in one chunk, without that what needs the editor.
 */
function chunkFor(id: string, needed: readonly Purpose[], needsEditor: (id: string) => boolean): Name {
  const [first = 'panel'] = needed;
  if (needed.length === 1) return first;
  if (isFirst(first)) return 'shared';
  // 10 kB that only the screens with long lists need.
  if (isVirtualList(id)) return 'virtual-list';
  if (isPackage(id) && hasPackages(first)) return packagesOf[first];
  if (inOrder.indexOf(first) < inOrder.indexOf('screens')) return first;
  return needsEditor(id) ? 'editor' : 'screens';
}

/**
 * The client's chunks, for the sources in `folder`: one for each purpose, and few for what they share. The bundler's
 * default makes a chunk for every dynamic import and for every set of them with a common module: mostly one or two
 * functions each, at the cost of a request and separate compression.
 */
export function chunks(folder: string): Group[] {
  const src = folder.slice(0, folder.lastIndexOf('/'));
  const main = `${folder}/main.tsx`;
  const panel = `${folder}/screens/panel/panel.tsx`;
  /** The one messages module that the panel may need before anything else; too small for a file of its own. */
  const refusals = `${src}/domain/messages/refusals.ts`;

  function purposeOf(entry: string): Purpose {
    const path = entry.slice(src.length + 1);
    const purpose = inOrder.find(name => purposes[name].some(start => path.startsWith(start)));
    if (!purpose) throw new Error(`No chunk for ${path}: name its purpose in src/ui/chunks.ts.`);
    return purpose;
  }

  function assign(context: Context): Map<string, Name> {
    const ownClosure = (roots: readonly string[]) => closure(context, roots, id => isPackage(id) || isIndex(id));
    const start = new Set([...imported(context, main), ...ownClosure(imported(context, main))]);
    const first = ownClosure([...imported(context, main), panel, `${src}/bridge/forge.ts`]);
    const kit = closure(context, [...first].flatMap(id => imported(context, id)).filter(isKit), id => !isKit(id));
    const users = new Map<string, Set<Purpose>>();
    for (const entry of dynamicEntries(context, main)) {
      for (const id of closure(context, [entry], isIndex))
        users.set(id, (users.get(id) ?? new Set()).add(purposeOf(entry)));
    }
    const needsEditor = (id: string) => [...closure(context, [id])].some(isEditor);
    const fixed = (id: string): Name | undefined => {
      if (isReact(id)) return 'react';
      if (start.has(id)) return 'start';
      return kit.has(id) || id === refusals ? 'shared' : undefined;
    };
    const assigned = new Map<string, Name>();
    // Code that the start does not need is a message behind the index.
    for (const id of closure(context, [main])) if (id !== main) assigned.set(id, fixed(id) ?? 'panel-tools');
    for (const [id, by] of users) {
      const needed = inOrder.filter(name => by.has(name));
      const chunk = fixed(id) ?? chunkFor(id, needed, needsEditor);
      if (!isFirst(chunk)) assigned.set(id, chunk);
    }
    return assigned;
  }

  let assigned: Map<string, Name> | undefined;
  return names.map((name, at) => ({
    name: (id, context) => {
      assigned ??= assign(context);
      return assigned.get(id) === name ? name : null;
    },
    debugName: name,
    priority: names.length - at,
  }));
}
