import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { Random } from '../../../bench/random.ts';
import * as site from '../site.ts';
import type { Cursor } from './cursor.ts';

/** An open text and the cursor's offset in it. */
export interface EditorText {
  readonly text: string;
  readonly head: number;
}

interface Tile {
  view: { state: { doc: unknown; selection: { main: { head: number } } } };
}

/** Milliseconds of a read that an unmounted frame may leave unanswered. */
const READ = 3_000;

/** What informs a user of a loss: flags, messages and choices. */
const MESSAGES = '.flag, .editor-notice, .cm-conflict, .check-conflict, .check-offer, .check-lost';

/** One window of a user: the editor or the panel of one issue. */
export class UserWindow {
  readonly name: string;
  readonly user: string;
  readonly page: Page;
  readonly random: Random;
  role: 'editor' | 'panel' = 'panel';
  /** Where the user's last action left the cursor; unknown where that is for the next click to decide. */
  cursor: Cursor | undefined;
  /** Requests by the operation's name. */
  readonly requests = new Map<string, number>();
  tooMany = 0;

  constructor(name: string, user: string, page: Page, random: Random) {
    this.name = name;
    this.user = user;
    this.page = page;
    this.random = random;
    page.setDefaultTimeout(10_000);
    page.on('dialog', dialog => void dialog.accept().catch(() => undefined));
    page.on('request', request => {
      const url = new URL(request.url());
      if (url.pathname !== '/graphql') return;
      const body = /"operationName":"(\w+)"/.exec(request.postData() ?? '')?.[1];
      const operation = body ?? url.searchParams.get('operationName') ?? 'other';
      this.requests.set(operation, (this.requests.get(operation) ?? 0) + 1);
    });
    page.on('response', response => {
      if (response.status() === 429) this.tooMany += 1;
    });
  }

  text(): Locator {
    return site.dialog(this.page).getByRole('textbox', { name: /as text/ });
  }

  line(index: number): Locator {
    return this.text().locator('.cm-line').nth(index);
  }

  /** The row of the panel that has this word. */
  row(word: string): Locator {
    return site.panel(this.page).locator('li[data-key]', { hasText: word });
  }

  box(word: string): Locator {
    return this.row(word).getByRole('checkbox');
  }

  field(): Locator {
    return site.panel(this.page).locator('.check-field').getByRole('textbox');
  }

  /** Choices between two values that the window shows. */
  choices(): Locator {
    return this.role === 'editor'
      ? site.dialog(this.page).locator('.cm-conflict')
      : site.panel(this.page).locator('.check-conflict');
  }

  /** The values that the choices show. */
  choiceValues(): Promise<string[]> {
    return this.choices().locator('.cm-conflict-value, .check-conflict-value').allTextContents();
  }

  editorText(): Promise<EditorText> {
    return this.text().evaluate(
      element => {
        const { cmTile } = element as unknown as { cmTile: Tile & { root?: Tile } };
        const { state } = (cmTile.root ?? cmTile).view;
        return { text: String(state.doc), head: state.selection.main.head };
      },
      undefined,
      { timeout: READ },
    );
  }

  /**
   * Records what the open text and its choices show as the next key or mouse button goes down: what a user has seen of
   * the text that the key changes. Resolves with a reader of the record.
   */
  async recordAtInput(): Promise<() => Promise<string>> {
    const record = await this.text().evaluateHandle(element => {
      const { cmTile } = element as unknown as { cmTile: Tile & { root?: Tile } };
      const { view } = (cmTile.root ?? cmTile) as Tile;
      const seen = { text: '' };
      const events = ['keydown', 'mousedown'] as const;
      const note = () => {
        const values = [...document.querySelectorAll('.cm-conflict-value')].map(({ textContent }) => textContent);
        seen.text = [String(view.state.doc), ...values].join('\n');
        for (const name of events) document.removeEventListener(name, note, true);
      };
      for (const name of events) document.addEventListener(name, note, true);
      return seen;
    });
    return async () => (await record.jsonValue()).text;
  }

  /** The words of the panel's rows, in order. */
  panelRows(): Promise<string[]> {
    return site.panel(this.page).locator('li[data-key] .check-text').allTextContents();
  }

  /** The rows that the window shows; `undefined` while it is loading. */
  async rows(): Promise<string[] | undefined> {
    try {
      return this.role === 'editor' ? (await this.editorText()).text.split('\n') : await this.panelRows();
    } catch {
      return undefined;
    }
  }

  async openEditor(): Promise<void> {
    await site.panel(this.page).getByRole('button', { name: 'Open editor' }).click();
    await site.hasFocus(this.text());
    this.role = 'editor';
    this.cursor = undefined;
  }

  /** The question before closing, about unsaved edits or open choices. */
  private question(): Locator {
    return site.dialog(this.page).locator('dialog.question');
  }

  /** Closes the editor; unsaved words are saved with it, and choices stay open. */
  async closeEditor(): Promise<void> {
    await site.dialog(this.page).getByRole('button', { name: 'Close', exact: true }).click();
    const dialog = this.page.getByRole('dialog');
    const confirm = this.question().getByRole('button', { name: /^(Save and close|Close)$/ });
    await Promise.race([dialog.waitFor({ state: 'hidden' }), confirm.waitFor()]).catch(() => undefined);
    if (await dialog.isVisible()) {
      await confirm.click();
      await dialog.waitFor({ state: 'hidden' });
    }
    this.role = 'panel';
    this.cursor = undefined;
  }

  async reload(): Promise<void> {
    await this.page.reload();
    this.role = 'panel';
    this.cursor = undefined;
    await site.panel(this.page).locator('li[data-key]').first().waitFor();
  }

  /** After an action that failed: which of the two the window shows. */
  async recover(): Promise<void> {
    this.cursor = undefined;
    this.role = (await this.page.getByRole('dialog').count()) > 0 ? 'editor' : 'panel';
    // Keys of the next action belong to the text.
    if ((await this.question().count()) > 0) await this.page.keyboard.press('Escape');
  }
}

/** Passes each message that a page of this context shows to `onMessage`, when it appears. */
export async function observeMessages(context: BrowserContext, onMessage: (text: string) => void): Promise<void> {
  await context.exposeBinding('reportMessage', (_, text: string) => onMessage(text));
  await context.addInitScript(selector => {
    const { reportMessage } = window as unknown as { reportMessage(text: string): Promise<void> };
    let shown = new Set<string>();
    /** Texts of neighbouring elements are apart. */
    const textOf = (element: Element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const texts: string[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode.nodeValue ?? '');
      return texts.join(' ').trim();
    };
    const collect = () => {
      const now = new Set([...document.querySelectorAll(selector)].map(textOf));
      for (const text of now) if (text !== '' && !shown.has(text)) void reportMessage(text);
      shown = now;
    };
    new MutationObserver(collect).observe(document, { childList: true, subtree: true, characterData: true });
  }, MESSAGES);
}
