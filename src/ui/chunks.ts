import type { Rolldown } from 'vite';

type Context = Rolldown.ChunkingContext;
type Group = Exclude<Rolldown.CodeSplittingOptions['groups'], undefined>[number];

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

/** A module and all modules that are dynamically imported from it, directly or indirectly. */
function entriesFrom(context: Context, entry: string): Set<string> {
  const entries = new Set([entry]);
  const modules = new Set<string>();
  for (const each of entries) {
    for (const id of closure(context, [each], known => modules.has(known))) {
      modules.add(id);
      for (const dynamic of context.getModuleInfo(id)?.dynamicallyImportedIds ?? []) entries.add(dynamic);
    }
  }
  return entries;
}

const isPackage = (id: string) => id.includes('/node_modules/');
const isKit = (id: string) => id.includes('/node_modules/@atlaskit/');
/** The index re-exports all messages; the panel uses a few. */
const isIndex = (id: string) => id.endsWith('/messages.ts');

/** Shared chunks, by priority: the bundler puts a module and its imports into the first chunk that matches. */
const shared = [
  'react',
  'start',
  'shared',
  'queries',
  'windows',
  'controls',
  'menus',
  'forms',
  'convert',
  'panel-parts',
  'editor',
  'screens',
] as const;

type Shared = (typeof shared)[number];

/** Which screens load a module. */
interface Users {
  /** Loaded with the panel, without a click. */
  early: boolean;
  /** Loaded by the panel at any time. */
  panel: boolean;
}

/** The chunk of a module that several dynamic imports share. */
function sharedBy(id: string, users: Users): Shared {
  if (/@codemirror|@lezer|\/(src\/editor|text-editor|grammar)\/|style-mod|w3c-keyname|crelt/.test(id)) return 'editor';
  // Its 10 kB are for screens only.
  if (/@tanstack\/(react-virtual|virtual-core)\/|\/kit\/virtual-list\.ts$/.test(id)) return 'windows';
  if (id.includes('@tanstack')) return 'queries';
  if (/\/src\/text\/(convert|export)/.test(id)) return 'convert';
  if (!isPackage(id)) return users.panel ? 'panel-parts' : 'screens';
  if (users.early) return 'controls';
  return users.panel ? 'menus' : 'forms';
}

/** Dynamic imports of the panel's first load, relative to the source folder. */
const early = [
  'panel/bar.tsx',
  'panel/checklist-actions/panel-tools.tsx',
  'checklist/add/add-item.tsx',
  'checklist/list/drag.tsx',
  'kit/atlaskit-button.tsx',
];

/**
 * The client's chunks, for the sources in `folder`: the start of every page (`start`), the panel's first load
 * (`shared`), shared modules of the panel's later parts and of screens; everything else gets one chunk per dynamic
 * import. The bundler's default makes a chunk for every set of dynamic imports with a common module: mostly one or two
 * functions each, at the cost of a request and separate compression.
 */
export function chunks(folder: string): Group[] {
  const main = `${folder}/main.tsx`;
  const panel = `${folder}/panel/panel.tsx`;
  /** The one messages module that the panel may need before anything else; too small for a file of its own. */
  const refusals = `${folder.slice(0, folder.lastIndexOf('/'))}/domain/messages/refusals.ts`;

  function assign(context: Context): Map<string, Shared> {
    const own = (roots: readonly string[]) => closure(context, roots, id => isPackage(id) || isIndex(id));
    const start = new Set([...imported(context, main), ...own(imported(context, main))]);
    const first = own([...imported(context, main), ...imported(context, panel)]);
    const kit = closure(
      context,
      [...first, panel].flatMap(id => imported(context, id)).filter(isKit),
      id => !isKit(id),
    );
    const ofPanel = entriesFrom(context, panel);
    const users = new Map<string, string[]>();
    const entries = entriesFrom(context, main);
    for (const entry of entries) {
      for (const id of closure(context, [entry])) users.set(id, [...(users.get(id) ?? []), entry]);
    }
    const chunkOf = (id: string, by: readonly string[]): Shared | undefined => {
      if (/\/node_modules\/(react|react-dom|scheduler)\//.test(id)) return 'react';
      if (start.has(id)) return 'start';
      if (kit.has(id) || id === refusals || (first.has(id) && by.some(entry => entry !== panel))) return 'shared';
      if (by.length < 2 || entries.has(id)) return undefined;
      const isEarly = by.some(entry => early.includes(entry.slice(folder.length + 1)));
      return sharedBy(id, { early: isEarly, panel: by.some(entry => ofPanel.has(entry)) });
    };
    const assigned = new Map<string, Shared>();
    for (const [id, by] of users) {
      const chunk = chunkOf(id, by);
      if (chunk) assigned.set(id, chunk);
    }
    return assigned;
  }

  let assigned: Map<string, Shared> | undefined;
  return shared.map((name, at) => ({
    name: (id, context) => {
      assigned ??= assign(context);
      return assigned.get(id) === name ? name : null;
    },
    debugName: name,
    priority: shared.length - at,
  }));
}
