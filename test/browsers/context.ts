import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect } from 'vitest';
import { people } from '../../src/tracker/site/people.ts';
import type { Programs } from '../browser/programs.ts';
import { addItems, click, rows, settled, texts, visible } from './look.ts';
import { openUndriven, type UndrivenWindow } from './undriven.ts';
import type { BrowserWindow, Engine, EngineName, WindowOptions } from './window.ts';

const artifacts = join(import.meta.dirname, '../artifacts');
const issueShape = v.looseObject({ key: v.string() });
const propertiesShape = v.looseObject({ properties: v.record(v.string(), v.unknown()) });
const checklistShape = v.looseObject({ text: v.string() });

/** What a flow does with its issue and its window. */
export interface FlowContext {
  readonly name: EngineName;
  readonly programs: Programs;
  /** The window of Emma Richards. */
  readonly emma: BrowserWindow;
  /** Opens the page of the flow's issue. */
  open(window: BrowserWindow): Promise<void>;
  /** Another window, signed in to the tracker. */
  visitor(person: string, options?: WindowOptions): Promise<BrowserWindow>;
  showsRows(window: BrowserWindow, ...expected: string[]): Promise<void>;
  /** Resolves when the tracker has these lines as the issue's checklist. */
  isSaved(...expected: string[]): Promise<void>;
  /** Adds items to an empty checklist by key. */
  add(...items: string[]): Promise<void>;
  /** Chooses a command of the panel's menu by mouse. */
  menu(entry: string): Promise<void>;
  /** Opens the editor by mouse. */
  openEditor(window?: BrowserWindow): Promise<void>;
  /** The flow's issue in a window without a driver, signed in as Emma Richards; only for WebKit. */
  undriven(): Promise<UndrivenWindow>;
  /** How many streams of events are open at the server. */
  openStreams(): Promise<number>;
  /** A picture in `test/artifacts/`. */
  picture(of: string, window?: BrowserWindow): Promise<void>;
}

const accountOf = (person: string) => people.find(({ displayName }) => displayName === person)?.accountId ?? '';

/** The tracker's answer to Emma Richards. */
async function ask({ tracker }: Programs, path: string, json?: object): Promise<unknown> {
  const cookie = `tracker.account=${encodeURIComponent(accountOf('Emma Richards'))}`;
  const answer = await fetch(`${tracker.url}/rest/api/2/${path}`, {
    headers: { cookie, ...(json && { 'content-type': 'application/json' }) },
    ...(json && { method: 'POST', body: JSON.stringify(json) }),
  });
  return answer.json();
}

/** Opens a window that is signed in to the tracker. */
export async function signedIn(
  engine: Engine,
  { tracker }: Programs,
  person: string,
  options?: WindowOptions,
): Promise<BrowserWindow> {
  const window = await engine.openWindow(options);
  await window.open(`${tracker.url}/health`);
  await window.setCookie('tracker.account', encodeURIComponent(accountOf(person)));
  return window;
}

/** A context with an issue of its own, whose page is open in Emma's window. */
export async function createContext(
  name: EngineName,
  engine: Engine,
  programs: Programs,
  emma: BrowserWindow,
): Promise<FlowContext> {
  const fields = { project: { key: 'WEB' }, issuetype: { name: 'Story' }, summary: 'Try every browser' };
  const { key } = v.parse(issueShape, await ask(programs, 'issue', { fields }));
  const open = (window: BrowserWindow) => window.open(`${programs.tracker.url}/browse/${key}`);
  const saved = async (): Promise<string[]> => {
    const { properties } = v.parse(propertiesShape, await ask(programs, `issue/${key}?properties=*all`));
    const [property] = Object.keys(properties).filter(each => each.endsWith('.checklist'));
    const stored = v.safeParse(checklistShape, properties[property ?? '']);
    return stored.success ? stored.output.text.trimEnd().split('\n') : [];
  };
  const isSaved = (...expected: string[]) => expect.poll(saved, { message: `saved in ${key}` }).toEqual(expected);
  await open(emma);
  await visible(emma, 'panel', '[aria-label="Add an item"]');
  return {
    name,
    programs,
    emma,
    open,
    visitor: (person, options) => signedIn(engine, programs, person, options),
    showsRows: (window, ...expected) => expect.poll(() => rows(window)).toEqual(expected),
    isSaved,
    add: async (...items) => {
      await addItems(emma, ...items);
      await isSaved(...items.map(item => `- ${item}`));
    },
    menu: async entry => {
      await click(emma, 'panel', '[aria-label^="Checklist actions"]');
      // The frame grows for its menu, which moves what stands under the pointer.
      await visible(emma, 'panel', '[role="menuitem"]', entry);
      await settled(emma);
      await click(emma, 'panel', '[role="menuitem"]', entry);
      await expect.poll(() => texts(emma, 'panel', '[role="menuitem"]')).toEqual([]);
    },
    openEditor: async (window = emma) => {
      await click(window, 'panel', '[aria-label="Open editor"]');
      await visible(window, 'dialog', '.cm-content');
    },
    undriven: () => openUndriven(`${programs.tracker.url}/browse/${key}`),
    openStreams: async () => {
      const metrics = await (await fetch(`${programs.addon.url}/metrics`)).text();
      return Number(/^live_streams (\d+)$/m.exec(metrics)?.[1] ?? Number.NaN);
    },
    picture: async (of, window = emma) => {
      await mkdir(artifacts, { recursive: true });
      await writeFile(join(artifacts, `browsers-${of}-${name}.png`), await window.screenshot());
    },
  };
}
