import type { Rolldown } from 'vite';

type Context = Rolldown.ChunkingContext;
type Group = Exclude<Rolldown.CodeSplittingOptions['groups'], undefined>[number];

/** Modules of ours that some need. What comes from packages goes with whoever needs it, as far as it is used. */
function closure(context: Context, roots: readonly string[], seen = new Set<string>()): Set<string> {
  for (const id of roots) {
    // The messages' index names all of them, the panel uses a few.
    if (seen.has(id) || id.includes('/node_modules/') || id.endsWith('/messages.ts')) continue;
    seen.add(id);
    closure(context, context.getModuleInfo(id)?.importedIds ?? [], seen);
  }
  return seen;
}

/** Modules of the kit that these need. */
function kit(context: Context, users: Iterable<string>, seen = new Set<string>()): Set<string> {
  for (const user of users) {
    const needed = (context.getModuleInfo(user)?.importedIds ?? []).filter(id =>
      id.includes('/node_modules/@atlaskit/'),
    );
    const fresh = needed.filter(id => !seen.has(id));
    for (const id of fresh) seen.add(id);
    kit(context, fresh, seen);
  }
  return seen;
}

/** A chunk of some modules; of two that want one, that of the higher priority has it. */
function group(name: string, priority: number, modules: (context: Context) => ReadonlySet<string>): Group {
  let known: ReadonlySet<string> | undefined;
  return {
    name: (id, context) => {
      known ??= modules(context);
      return known.has(id) ? name : null;
    },
    debugName: name,
    priority,
  };
}

/**
 * The chunks of the panel's first load, the sources being in that folder. Left alone, the bundler cuts one for every set
 * of screens that share something, twenty files of which most hold a function or two: each costs a request, and is
 * compressed by itself.
 */
export function chunks(folder: string): Group[] {
  const main = `${folder}/main.tsx`;
  const panel = `${folder}/panel/panel.tsx`;
  /** The one of the messages that the panel may show before anything else; a file of its own would cost more than it holds. */
  const refusals = `${folder.slice(0, folder.lastIndexOf('/'))}/domain/messages/refusals.ts`;
  const importedBy = (context: Context, id: string) => context.getModuleInfo(id)?.importedIds ?? [];
  return [
    { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
    // What every page starts with, the style sheets that others build on included.
    group('start', 2, context => {
      const direct = importedBy(context, main);
      return new Set([...direct, ...closure(context, direct)]);
    }),
    // What the panel loads first and other parts of the program need too.
    group('shared', 1, context => {
      const first = closure(context, [...importedBy(context, main), ...importedBy(context, panel)]);
      const elsewhere = (id: string) => !first.has(id) && id !== main && id !== panel;
      const ours = closure(
        context,
        [...first].filter(id => context.getModuleInfo(id)?.importers.some(elsewhere)),
      );
      return new Set([...ours, ...kit(context, [...first, panel]), refusals]);
    }),
  ];
}
