import * as z from 'zod';
import { createSession } from './addon.ts';
import { type ChaosSite, pause } from './site.ts';

/** A template whose rows no other one has, so that it can be seen how often it was applied. */
export interface ChaosTemplate {
  id: string;
  text: string;
}

/** An administrator who writes templates for the others, each to be applied by one change. */
export interface Author {
  work(isOver: () => boolean): Promise<void>;
  /** One that nobody has applied, if there is any. */
  take(): ChaosTemplate | undefined;
}

const made = z.object({ template: z.object({ id: z.string(), text: z.string() }).nullable() });

/** As many as wait to be applied. */
const READY = 3;
/** Their rows' numbers are above everybody's. */
const FIRST = 8_000_000;

export function createAuthor(site: Pick<ChaosSite, 'trackerUrl' | 'addons'>, account: string): Author {
  const session = createSession(site, account);
  const ready: ChaosTemplate[] = [];
  let rows = 0;
  let turn = 0;
  const row = () => `Row ${FIRST + ++rows} beta`;
  const document = `mutation ($input: CreateTemplateFromTextInput!) {
    createTemplateFromText(input: $input) { template { id text } }
  }`;
  return {
    take: () => ready.shift(),
    async work(isOver) {
      while (!isOver()) {
        await pause(250);
        if (ready.length >= READY) continue;
        const input = { name: `Template ${rows}`, text: `# Release\n- ${row()}\n- ! ${row()}` };
        const url = site.addons[turn++ % site.addons.length]?.url ?? '';
        const data = await session.ask(url, document, { input });
        // One whose answer was lost is nobody's.
        if (typeof data === 'string') continue;
        const { template } = made.parse(data.createTemplateFromText);
        if (template) ready.push(template);
      }
    },
  };
}
