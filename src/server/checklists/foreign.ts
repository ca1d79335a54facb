import type { CompiledQuery } from 'kysely';
import type { StoredChecklist } from '../../domain/storage.ts';
import { hashText } from '../hash.ts';
import type { EchoTable } from '../store/tables.ts';
import { givenUp, isEcho, noteEchoes, pendingFound, propertyMark, recentEchoes, takenIn } from './echo.ts';
import { fieldMark, sameField } from './field.ts';
import type { Mirror } from './known.ts';
import { likeliestBase } from './likeliest.ts';
import { type FieldText, type Place, recentVersions, type Version, versionAt } from './revisions.ts';
import type { Site } from './site.ts';

/** What somebody made of a text that he found in a storage. */
export interface Rewritten {
  from: { name: string; text: string };
  to: { name: string; text: string };
}

/** Minutes that somebody may take between reading a storage and writing it back. */
const EDITING = 15;
/** Most of the latest versions from which somebody may have started. */
const EARLIER = 20;
/** The same where nothing is known of the storage. */
const EVER = 200;

/** Texts that stood in a storage lately, newest first, but this one: what is exactly there again was meant. */
async function earlierTexts(
  { store, tenant }: Site,
  place: Place,
  storage: EchoTable['storage'],
  not: string,
): Promise<string[]> {
  const texts = await store.tenant(tenant.id, async tx => {
    const echoes = await recentEchoes(tx, place, storage, { most: EARLIER, minutes: EDITING });
    // The property sees every version, the field some.
    const versions = storage === 'property' ? await recentVersions(tx, place, EARLIER, EDITING) : [];
    return [...versions.map(({ text }) => text), ...echoes];
  });
  return texts.filter(text => !sameField(text, not));
}

/**
 * What others wrote into the property since our last version, step by step; nothing where it holds that, or an older one
 * of ours: a write that we gave up, or repeated, may reach the tracker after a later one. Where it then ran over what
 * others had written and we had only seen, that is to be taken in still.
 */
export async function foreignProperty(
  site: Site,
  place: Place,
  property: StoredChecklist,
  last: Version,
): Promise<Rewritten[]> {
  const { name } = last;
  const fromLikeliest = async (to: Rewritten['to']): Promise<Rewritten> => {
    const earlier = await earlierTexts(site, place, 'property', to.text);
    return { from: { name, text: likeliestBase(to.text, last.text, earlier) }, to };
  };
  if (property.kind === 'absent' || property.kind === 'foreign') return [];
  const { text } = property;
  if (property.kind === 'text') return text === last.text ? [] : [await fromLikeliest({ name, text })];
  const to = { name: property.name, text };
  if (text === last.text && to.name === last.name) return [];
  const mark = propertyMark({ ...property, hash: hashText(text) });
  const { origin, late, pending } = await site.store.tenant(site.tenant.id, async tx => ({
    origin: await versionAt(tx, place, property),
    late: await givenUp(tx, place, property),
    pending: await pendingFound(tx, place),
  }));
  const isOrigin = origin?.text === text && origin.name === to.name;
  if (!origin && !late) return [await fromLikeliest(to)];
  const seen = await Promise.all(
    pending.map(({ text, base }) => {
      const to = { name, text };
      return base === null ? fromLikeliest(to) : { from: { name, text: base }, to };
    }),
  );
  if (isOrigin || late?.mark === mark) return seen;
  const start = origin ?? { name, text: late?.text ?? last.text };
  const newest = seen.at(-1)?.to;
  // Whoever went on from what others had written, which we had only seen, knew it.
  const wentOn = newest && likeliestBase(text, newest.text, [start.text]) === newest.text;
  return [...seen, { from: wentOn ? { name: start.name, text: newest.text } : start, to }];
}

/**
 * The text from which somebody wrote what the field holds; nothing where it is ours, or blank: an empty field is not an
 * empty checklist, since it empties by itself when an issue moves. `current` is the checklist as it is otherwise.
 */
export async function foreignFieldBase(
  site: Site,
  place: Place,
  { id, text }: FieldText,
  { mirror, current }: { mirror: Mirror | null; current: string },
): Promise<string | undefined> {
  if (sameField(text, current) || !text.trim()) return undefined;
  const held = mirror?.field === id ? mirror.text : null;
  if (held === null) {
    // Perhaps we did write it, before we kept record of it or before another field was chosen.
    const ours = await site.store.tenant(site.tenant.id, tx => recentVersions(tx, place, EVER));
    return likeliestBase(
      text,
      '',
      ours.map(version => version.text),
    );
  }
  if (sameField(text, held)) return undefined;
  const mark = fieldMark(text);
  if (await site.store.tenant(site.tenant.id, tx => isEcho(tx, place, 'field', mark))) return undefined;
  return likeliestBase(text, held, await earlierTexts(site, place, 'field', text));
}

/** Remembers what somebody wrote into the property, which was replaced: others may have read it meanwhile. */
export const noteForeign = (place: Place, text: string): CompiledQuery<unknown>[] => [
  ...noteEchoes(place, 'property', [{ mark: hashText(text), text }]),
  takenIn(place),
];
