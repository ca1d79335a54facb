import { losses } from '../../../domain/messages.ts';
import type { BuiltInSlug } from '../../../domain/statuses.ts';
import { detailOfName } from '../../edits/named-people.ts';
import { readChecklist } from '../../read.ts';
import type { CheckboxRow } from '../../types.ts';
import { type DraftBuilder, detail, item } from '../blocks.ts';
import { boxOf } from '../head.ts';
import { dueDayOfTime, isIcon, isShare, isTrue, statusOfWord } from './cell-words.ts';
import { dayOfCell, dayPattern } from './day-of-cell.ts';
import { boxOfCell, flatText } from './row.ts';

const itemRead = (text: string): CheckboxRow | undefined =>
  readChecklist(`- ${text}`).rows.find(row => row.kind === 'checkbox');

/** Whether a text names an account or a person already, as the editor writes them: a name that is a word there is none. */
const isMentioned = (text: string, value: string): boolean =>
  text.includes(`@${value}`) ||
  text.includes(`[~accountid:${value}]`) ||
  (value.startsWith('[~') && text.includes(value));

/** A status name that fits into the brackets before an item. */
const fitsLabel = (value: string): boolean => value.length <= 50 && !/[[\]`]/.test(value) && !value.startsWith('~');

const linesOfCell = (value: string) => value.split('\n');

/** The item of a row of a table, built cell by cell. What an item has no place for is reported. */
export class RowItem {
  /** Lines below the item. */
  details: string[] = [];
  /** Words behind the item's text. */
  readonly tail: string[] = [];
  private readonly draft: DraftBuilder;
  private readonly line: number;
  private readonly text: string;
  private status: BuiltInSlug;
  private label = '';
  private mandatory: boolean;

  /** `texts` are the lines of the title; `hasBox` says whether a box may stand before the first one. */
  constructor(draft: DraftBuilder, line: number, texts: readonly string[], key: string, hasBox: boolean) {
    this.draft = draft;
    this.line = line;
    const [title = '', ...more] = texts.flatMap(linesOfCell);
    const box = hasBox ? boxOfCell(title) : undefined;
    draft.lose(losses.status, line, box?.sign ?? '');
    this.status = box?.status ?? 'todo';
    this.mandatory = box?.mandatory ?? false;
    this.text = [key, box?.text ?? title].filter(Boolean).map(flatText).join(' ');
    this.addDetails(more.join('\n'));
  }

  /** The words of the item without what follows them. */
  get words(): string {
    return this.text;
  }

  /** Whether there is nothing to write in an item. */
  get isEmpty(): boolean {
    return this.label + this.text === '' && this.tail.length === 0;
  }

  /** There may be more lines than fit the arguments of a call. */
  addDetails(value: string): void {
    if (value !== '') this.details = this.details.concat(linesOfCell(value));
  }

  addStatus(value: string): void {
    const knownStatus = statusOfWord(value);
    if (isShare(value)) {
      this.status = knownStatus ?? 'in_progress';
      this.lose(losses.count, value);
    } else if (knownStatus) this.status = knownStatus;
    else if (value === '100') this.status = 'done';
    else if (isIcon(value)) this.addDetails(value);
    else if (fitsLabel(value)) {
      this.label = `[${value}] `;
      this.lose(losses.status, value);
    } else this.lose(losses.label, value);
  }

  /** A cell of a column that is called done. */
  addDone(value: string): void {
    const stated = statusOfWord(value) ?? boxOf(value)?.status;
    // "No" in this column takes back no status of another one.
    if (stated !== undefined) this.status = stated === 'todo' ? this.status : stated;
    else if (dayPattern.test(value) || dueDayOfTime(value)) this.complete(value);
    else this.addDetails(value);
  }

  /** A day of completion makes an item done; the day itself has no place in the checklist. */
  complete(value: string): void {
    const stated = statusOfWord(value);
    if (stated === 'todo') return;
    this.status = 'done';
    if (!stated) this.lose(losses.column, flatText(value));
  }

  addMandatory(value: string): void {
    this.mandatory ||= isTrue(value);
    if (!statusOfWord(value)) this.addDetails(value);
  }

  addPerson(stated: string): void {
    const value = stated
      // ClickUp writes lists.
      .replace(/^\[([^\][~]*)\]$/, '$1')
      // Some programs, such as Todoist, put the account's number behind the name.
      .replace(/^(\p{L}[^()]*?) \(\d+\)$/u, (_, name: string) => {
        this.lose(losses.setting, stated);
        return name;
      })
      .replace(/^@(?=\p{L})/u, '');
    const isWritten = itemRead(this.text)?.assignee === value || isMentioned(this.text, value);
    if (value === '' || isWritten) return;
    if (/^(?=.*\d)[A-Za-z0-9:_-]{10,128}$/.test(value)) this.tail.push(`[~accountid:${value}]`);
    else if (/^\[~accountid:[\w:-]{1,128}\]$/.test(value)) this.tail.push(value);
    else if (/^\p{L}[\p{L}\p{N}]*(?:[._-][\p{L}\p{N}]+)*$/u.test(value)) this.tail.push(`@${value}`);
    else this.details.push(detailOfName(value));
  }

  addDay(value: string): void {
    const day = dayPattern.exec(value)?.[1];
    const due = dayOfCell(value);
    if (due === undefined) this.details.push(`Due: ${value}`);
    else if (itemRead(this.text)?.dueDate !== due) this.tail.push(value === day ? day : due);
  }

  /** Writes the item; its details follow by `writeDetails`. */
  write(): void {
    const words = [this.label + this.text, ...this.tail].filter(Boolean).join(' ');
    this.draft.add(item(words, this.status, this.mandatory));
  }

  writeDetails(): void {
    for (const line of this.details) this.draft.add(detail(line));
  }

  private lose(what: string, text: string): void {
    this.draft.lose(what, this.line, text);
  }
}
