import type { HostBridge } from '../../bridge/bridge.ts';
import { storageKey } from '../../domain/storage.ts';
import {
  type OfferedTemplate,
  parseDefaultTemplate,
  parseTemplateIndex,
  parseTemplateTexts,
} from '../../domain/templates.ts';
import { getProject } from './projects.ts';

/** What a project's properties hold of the templates that can be used in it. */
export interface MirroredTemplates {
  templates: OfferedTemplate[];
  /** Those that have room there, by id. */
  texts: Readonly<Record<string, string>>;
  /** Which is offered first. */
  first: string | undefined;
  /** There are more than are held here. */
  more: boolean;
}

/** The templates of a project as the tracker itself gives them; `undefined` where it holds none of ours. */
export async function readTemplates(bridge: HostBridge, project: string): Promise<MirroredTemplates | undefined> {
  const keys = { index: 'template-index', texts: 'templates', first: 'default-template' } as const;
  const { properties = {} } = await getProject(
    bridge,
    project,
    Object.values(keys).map(key => storageKey(key)),
  );
  const held = (key: keyof typeof keys) => properties[storageKey(keys[key])];
  const index = parseTemplateIndex(held('index'));
  if (!index) return undefined;
  const first = parseDefaultTemplate(held('first')) ?? undefined;
  return { ...index, texts: parseTemplateTexts(held('texts')) ?? {}, first };
}
