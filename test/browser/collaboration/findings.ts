import type { Random } from '../../../bench/random.ts';
import type { ChangeKind } from '../../../src/domain/change.ts';
import type { UserWindow } from './user-window.ts';
import { type Word, Words } from './words.ts';

/** What a session can find. */
export const kinds = {
  cursor: 'cursors lost',
  doubled: 'rows doubled',
  regrouped: 'rows doubled after a split or join',
  missing: 'words nowhere',
  keys: 'keys lost',
  different: 'windows that differ',
  errors: 'browser errors',
} as const;

export type Kind = keyof typeof kinds;

interface Finding {
  readonly kind: Kind;
  readonly step: number;
  readonly text: string;
}

interface Message {
  readonly user: string;
  readonly step: number;
  readonly text: string;
}

/** How many rows users work in at a time, most often. */
const MEETING = 3;

/** What happened in a session so far, and what was wrong. */
export class Session {
  readonly words = new Words();
  readonly findings: Finding[] = [];
  readonly messages: Message[] = [];
  /** Words of other windows that an undo removed. */
  foreignUndone = 0;
  step = 0;
  windows: readonly UserWindow[] = [];
  /** Whether users delete, undo and choose: without that no word may vanish. */
  readonly removes: boolean;
  private readonly log: string[] = [];
  /** A word of each row that users have worked in lately. */
  private readonly recent: string[] = [];
  /** Words of rows that were split or joined: such a row is another one, which a merge may keep beside the old one. */
  readonly regrouped = new Set<string>();
  /** Doubled words that are reported, and those that the previous look at a view has found. */
  private readonly reported = new Set<string>();
  private readonly suspected = new Map<string, ReadonlySet<string>>();

  constructor(removes: boolean) {
    this.removes = removes;
  }

  did(window: UserWindow, what: string): void {
    this.log.push(`${this.step} ${window.name}: ${what}`);
  }

  /** A row with words; often one that another user is in, where changes meet. */
  pickRow(rows: readonly string[], random: Random): string {
    const all = rows.filter(row => this.words.in(row).length > 0);
    const cursors = this.windows.map(({ cursor }) => cursor?.neighbours[0] ?? '');
    const meeting = random.int(2) === 0 ? this.recent : cursors;
    const met = all.filter(row => this.words.in(row).some(word => meeting.includes(word)));
    const row = random.pick(met.length > 0 && random.int(4) < 3 ? met : all);
    const own = this.words.in(row);
    if (!own.some(word => this.recent.includes(word))) this.recent.push(random.pick(own));
    if (this.recent.length > MEETING) this.recent.shift();
    return row;
  }

  found(kind: Kind, text: string): void {
    this.findings.push({ kind, step: this.step, text });
    this.log.push(`${this.step} FOUND ${kinds[kind]}: ${text}`);
  }

  message(user: string, text: string): void {
    this.messages.push({ user, step: this.step, text });
  }

  /** Reports each pair of rows that have words in common, once a view has them in two looks. */
  checkRows(view: string, rows: readonly string[]): void {
    const doubled = this.words.doubled(rows);
    const before = this.suspected.get(view);
    this.suspected.set(view, new Set(doubled.keys()));
    for (const [word, [one = '', other = '']] of doubled) {
      if (!before?.has(word) || this.reported.has(word)) continue;
      for (const shared of this.words.in(one)) if (doubled.has(shared)) this.reported.add(shared);
      const wasRegrouped = this.words.in(`${one} ${other}`).some(each => this.regrouped.has(each));
      this.found(wasRegrouped ? 'regrouped' : 'doubled', `${view}: "${word}" in "${one}" and "${other}"`);
    }
  }

  /** Enters what is stored. */
  stored(text: string): void {
    this.checkRows('stored', text.split('\n'));
    const gone = this.words.stored(text, this.step).filter(word => this.words.get(word)?.removal === undefined);
    if (gone.length > 0) this.log.push(`${this.step} stored no more: ${gone.join(' ')}`);
  }

  /** The words that are in no stored row and in no open choice, and whose loss no message of their user names. */
  missing(stored: string, choices: readonly string[]): Word[] {
    const present = new Set([...this.words.in(stored), ...choices.flatMap(text => this.words.in(text))]);
    return this.words.list().filter(({ text, user, storedAt, removal }) => {
      return !present.has(text) && removal === undefined && !this.wasNotified(user, text, storedAt);
    });
  }

  private wasNotified(user: string, word: string, storedAt: number): boolean {
    // The stored text is read every few steps.
    const since = storedAt - 8;
    return this.messages.some(
      message => message.user === user && message.step >= since && this.words.in(message.text).includes(word),
    );
  }

  count(kind: Kind): number {
    return this.findings.filter(finding => finding.kind === kind).length;
  }

  /** The figures of a session in one line. */
  summary(): string {
    return Object.entries(kinds)
      .map(([kind, words]) => `${words}: ${this.count(kind as Kind)}`)
      .concat(`words typed: ${this.words.list().length}`, `foreign words undone: ${this.foreignUndone}`)
      .join(', ');
  }

  latest(count: number): string {
    return this.log.slice(-count).join('\n');
  }

  /** Each line of the log that names one of these words. */
  about(words: readonly string[]): string {
    return this.log.filter(line => words.some(word => line.includes(word))).join('\n');
  }
}

const stores: readonly ChangeKind[] = [
  'addChecklistItemsFromText',
  'changeChecklistItems',
  'deleteChecklistItem',
  'moveChecklistItem',
  'setItemStatus',
  'updateChecklistFromText',
  'updateChecklistItem',
];

/** Requests of each window, beside the changes that others stored meanwhile. */
export function requestTable(windows: readonly UserWindow[]): string {
  const changes = ({ requests }: UserWindow) => stores.reduce((sum, name) => sum + (requests.get(name) ?? 0), 0);
  const all = windows.reduce((sum, window) => sum + changes(window), 0);
  return windows
    .map(window => {
      const foreign = all - changes(window);
      const reads = window.requests.get('getChecklist') ?? 0;
      const counts = [...window.requests].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
      const share = foreign === 0 ? '-' : (reads / foreign).toFixed(2);
      return `${window.name}: ${foreign} foreign changes, ${share} getChecklist each, 429: ${window.tooMany}; ${counts.join(', ')}`;
    })
    .join('\n');
}
