import type { CompiledQuery } from 'kysely';
import type { StoredChecklist } from '../../domain/storage.ts';
import { hashText } from '../hash.ts';
import {
  givenUp,
  isEcho,
  isPropertyMark,
  noteEchoes,
  pendingFound,
  propertyMark,
  recentEchoes,
  takenIn,
} from './echo.ts';
import { fieldMark, sameField } from './field.ts';
import type { Known, Mirror } from './known.ts';
import { likeliestBase } from './likeliest.ts';
import { EVER, type FieldText, type Place, recentVersions, type Version, versionAt } from './revisions.ts';
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

/** Texts from which somebody may have started who wrote the field. What is exactly there again was meant. */
async function fieldStarts({ store, tenant }: Site, place: Place, text: string): Promise<string[]> {
  const echoes = await store.tenant(tenant.id, tx =>
    recentEchoes(tx, place, 'field', { most: EARLIER, minutes: EDITING }),
  );
  return echoes.map(echo => echo.text).filter(each => !sameField(each, text));
}

/**
 * Likewise who wrote the property. What is exactly there again was meant here too, unless it is a write of ours that was
 * given up, or tried more than once: that may have come late, and he may have found it there.
 */
async function propertyStarts({ store, tenant }: Site, place: Place, text: string) {
  const { echoes, versions } = await store.tenant(tenant.id, async tx => ({
    echoes: await recentEchoes(tx, place, 'property', { most: EARLIER, minutes: EDITING }),
    versions: (await recentVersions(tx, place, EARLIER, EDITING)).map(version => version.text),
  }));
  const stood = [...versions, ...echoes.filter(({ mark }) => !isPropertyMark(mark)).map(echo => echo.text)];
  const late = echoes.filter(({ mark }) => isPropertyMark(mark));
  return { stood: stood.filter(each => !sameField(each, text)), late: late.map(echo => echo.text) };
}

/**
 * What others wrote into the property since our last version, step by step; nothing where it holds that, or an older one
 * of ours: a write that we gave up, or repeated, may reach the tracker after a later one. Where it then ran over what
 * others had written and we had only seen, that is to be taken in still; without an open `intent` there is none of that.
 */
export async function foreignProperty(
  site: Site,
  place: Place,
  property: StoredChecklist,
  { last, intent }: Pick<Known, 'intent'> & { last: Version },
): Promise<Rewritten[]> {
  if (property.kind === 'absent' || property.kind === 'foreign') return [];
  const { name } = last;
  const to = { name: property.kind === 'ours' ? property.name : name, text: property.text };
  const isLast = to.text === last.text && to.name === name;
  if (isLast && intent === null) return [];

  const numbered = property.kind === 'ours' ? { ...property, hash: hashText(to.text) } : undefined;
  const { origin, late, pending } = await site.store.tenant(site.tenant.id, async tx => ({
    origin: numbered && (await versionAt(tx, place, numbered)),
    late: numbered && (await givenUp(tx, place, numbered)),
    pending: await pendingFound(tx, place),
  }));
  const startOf = async (text: string): Promise<string> => {
    const { stood, late } = await propertyStarts(site, place, text);
    return likeliestBase(text, last.text, [...stood, ...late]);
  };
  const seen = await Promise.all(
    pending.map(async ({ text, base }) => ({
      from: { name, text: base ?? (await startOf(text)) },
      to: { name, text },
    })),
  );
  if (isLast) return seen;
  const isOrigin = origin?.text === to.text && origin.name === to.name;
  if (isOrigin || (numbered && late?.mark === propertyMark(numbered))) return seen;

  const newest = seen.at(-1)?.to.text;
  const known = origin ?? (late && { name, text: late.text });
  if (known) {
    // Whoever went on from what others had written, which we had only seen, knew it.
    const wentOn = newest !== undefined && likeliestBase(to.text, newest, [known.text]) === newest;
    return [...seen, { from: wentOn ? { name: known.name, text: newest } : known, to }];
  }
  const starts = await propertyStarts(site, place, to.text);
  const unseen = newest === undefined ? starts.late : [...starts.late, newest];
  const text = likeliestBase(to.text, last.text, [...starts.stood, ...unseen]);
  // Whoever started from another text replaced what others had written; a write of ours that came late did so itself.
  const before = text !== last.text && unseen.includes(text) ? seen : [];
  return [...before, { from: { name, text }, to }];
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
  return likeliestBase(text, held, await fieldStarts(site, place, text));
}

/** Remembers what somebody wrote into the property, which was replaced: others may have read it meanwhile. */
export const noteForeign = (place: Place, text: string): CompiledQuery<unknown>[] => [
  ...noteEchoes(place, 'property', [{ mark: hashText(text), text }]),
  takenIn(place),
];
