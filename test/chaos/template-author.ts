import * as v from 'valibot';
import { createSession, type Session } from './addon.ts';
import { type ChaosSite, pause } from './site.ts';

/** A template with unique rows, so that its applications can be counted. */
export interface ChaosTemplate {
  id: string;
  text: string;
}

/** An administrator who creates templates for the clients, each to be applied by one change. */
export interface TemplateAuthor {
  work(isOver: () => boolean): Promise<void>;
  /** A template not applied yet, if there is any. */
  take(): ChaosTemplate | undefined;
}

const made = v.object({ template: v.nullable(v.object({ id: v.string(), text: v.string() })) });

/** Number of templates ready to be applied. */
const READY = 3;
/** Their rows' numbers are above those of clients. */
const FIRST = 8_000_000;

/** The unique line of a template's row. */
export const templateRow = (number: number): string => `Row ${number} beta`;

const document = `mutation ($input: CreateTemplateFromTextInput!) {
  createTemplateFromText(input: $input) { template { id text } }
}`;

/** Creates a template of those rows; `undefined` where the answer was lost: then no client uses it. */
export async function createTemplate(
  session: Session,
  url: string,
  name: string,
  [first, ...others]: readonly string[],
): Promise<ChaosTemplate | undefined> {
  const text = ['# Release', `- ${first}`, ...others.map(row => `- ! ${row}`)].join('\n');
  const data = await session.ask(url, document, { input: { name, text } });
  return typeof data === 'string' ? undefined : (v.parse(made, data.createTemplateFromText).template ?? undefined);
}

export function createTemplateAuthor(site: Pick<ChaosSite, 'trackerUrl' | 'addons'>, account: string): TemplateAuthor {
  const session = createSession(site, account);
  const ready: ChaosTemplate[] = [];
  let rows = FIRST;
  let turn = 0;
  return {
    take: () => ready.shift(),
    async work(isOver) {
      while (!isOver()) {
        await pause(250);
        if (ready.length >= READY) continue;
        const url = site.addons[turn++ % site.addons.length]?.url ?? '';
        const own = [templateRow(++rows), templateRow(++rows)];
        const template = await createTemplate(session, url, `Template ${rows}`, own);
        if (template) ready.push(template);
      }
    },
  };
}
