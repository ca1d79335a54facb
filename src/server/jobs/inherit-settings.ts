import type { Edition } from '../../domain/edition.ts';
import { jobs as messages } from '../../domain/messages.ts';
import { parseRegistry } from '../../domain/registry.ts';
import { isYes, storageKey, yesNo } from '../../domain/storage.ts';
import { parseDefaultTemplate, parseTemplateIndex, parseTemplateTexts } from '../../domain/templates.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { eachProject, type FoundProject, writeProjectProperty } from '../platform/tracker/projects.ts';
import { eachOf } from '../queue/each.ts';
import type { WantedCopies } from '../queue/wanted-copies.ts';
import { inheritStatuses } from '../statuses/inherit.ts';
import { publish } from '../store/live-events.ts';
import type { Store } from '../store/store.ts';
import { inheritTemplates, itemsOf } from '../templates/inherit.ts';
import type { OwnTexts } from '../text-workers/pool.ts';

export interface InheritOptions {
  store: Store;
  tenant: string;
  tracker: Tracker;
  copies: WantedCopies;
  texts: Pick<OwnTexts, 'run'>;
  /** The previous edition. */
  from: Pick<Edition, 'key' | 'name'>;
}

const IN_CENTER_PROPERTY = storageKey('show-in-center-panel');

/**
 * Takes over statuses, templates, default templates and the panel's position from project properties of another edition
 * of the app. Keeps what this edition has already, so it is idempotent. Resolves with notes for users on what was
 * changed or left out.
 */
export async function inheritSettings(options: InheritOptions): Promise<string[]> {
  const { store, tenant, tracker, copies, texts, from } = options;
  const theirs = (thing: Parameters<typeof storageKey>[0]) => storageKey(thing, from.key);
  const things = ['statuses', 'template-index', 'templates', 'default-template', 'show-in-center-panel'] as const;
  const projects: FoundProject[] = [];
  for await (const project of eachProject(tracker, [...things.map(theirs), IN_CENTER_PROPERTY])) projects.push(project);
  const statuses = projects.flatMap(({ id, properties }) => {
    const registry = parseRegistry(properties[theirs('statuses')]);
    return registry ? [{ project: id, statuses: registry }] : [];
  });
  const templates = projects.flatMap(({ id, key, properties }) => {
    const index = parseTemplateIndex(properties[theirs('template-index')]);
    if (!index) return [];
    return [
      {
        ...{ project: id, key, offered: index.templates, more: index.more },
        texts: parseTemplateTexts(properties[theirs('templates')]) ?? {},
        first: parseDefaultTemplate(properties[theirs('default-template')]) ?? null,
      },
    ];
  });
  const items = await itemsOf(texts.run, templates);
  const notes = await store.tenant(tenant, async tx => {
    const leftStatuses = await inheritStatuses(tx, tenant, statuses, projects.length);
    const { lost, kept } = await inheritTemplates(tx, tenant, templates, projects.length, items);
    for (const kind of ['statuses', 'templates'] as const) await publish(tx, tenant, { kind });
    await copies.want(tx, tenant);
    return [
      ...leftStatuses.map(messages.statusLeft),
      ...kept.map(messages.templateKept),
      ...lost.map(messages.templateLost),
    ];
  });
  const centered = projects.filter(
    ({ properties }) => isYes(properties[theirs('show-in-center-panel')]) && !(IN_CENTER_PROPERTY in properties),
  );
  const { failures } = await eachOf(
    centered,
    ({ key }) => key,
    ({ id }) => writeProjectProperty(tracker, id, IN_CENTER_PROPERTY, yesNo(true)),
  );
  const refused = failures.map(({ name }) => messages.panelNotPlaced(name));
  const cut = templates.flatMap(({ key, more }) => (more ? messages.templatesCut(key, from.name) : []));
  return [...notes, ...refused, ...cut];
}
