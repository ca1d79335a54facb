import type { HostBridge } from '../../bridge/bridge.ts';
import { storageKey } from '../../domain/storage.ts';
import {
  type OfferedTemplate,
  parseDefaultTemplate,
  parseTemplateIndex,
  parseTemplateTexts,
} from '../../domain/templates.ts';
import { getProject } from './projects.ts';

/** The template properties of a project. */
export interface MirroredTemplates {
  templates: OfferedTemplate[];
  /** Texts by template id, as far as they fit. */
  texts: Readonly<Record<string, string>>;
  /** Id of the default template. */
  first: string | undefined;
  /** There are more templates than the properties hold. */
  more: boolean;
}

/** Reads the templates from a project's properties; `undefined` if there is no index. */
export async function readTemplates(bridge: HostBridge, project: string): Promise<MirroredTemplates | undefined> {
  const keys = { index: 'template-index', texts: 'templates', first: 'default-template' } as const;
  const { properties = {} } = await getProject(
    bridge,
    project,
    Object.values(keys).map(key => storageKey(key)),
  );
  const propertyOf = (key: keyof typeof keys) => properties[storageKey(keys[key])];
  const index = parseTemplateIndex(propertyOf('index'));
  if (!index) return undefined;
  const first = parseDefaultTemplate(propertyOf('first')) ?? undefined;
  return { ...index, texts: parseTemplateTexts(propertyOf('texts')) ?? {}, first };
}
