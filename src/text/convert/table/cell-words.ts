import type { BuiltInSlug } from '../../../domain/statuses.ts';
import { folded } from './column-names.ts';

const words: Record<BuiltInSlug, string> = {
  todo:
    '0%|to do|todo|none|open|new|backlog|not started|no|false|0|n|☐|[ ]|[]|incomplete|notstarted|pending|needs action|needsaction|unchecked|' +
    'offen|neu|nicht begonnen|zu erledigen|nein|falsch|à faire|ouvert|non commencé|non|faux|nouveau|por hacer|abierto|pendiente|nuevo|falso|' +
    'no iniciado|a fazer|aberto|pendente|não iniciado|não|novo|未着手|未対応|未完了|未|いいえ|待办|未开始|할 일|da fare|aperto|te doen',
  done:
    '100%|done|closed|resolved|complete|completed|finished|yes|true|1|2|y|x|✓|✔|☑|☒|[x]|✅|■|checked|' +
    'erledigt|fertig|abgeschlossen|geschlossen|gelöst|ja|wahr|terminé|fait|fini|fermé|résolu|oui|vrai|terminée|achevé|' +
    'hecho|listo|terminado|completado|completada|cerrado|resuelto|sí|si|verdadero|finalizado|feito|concluído|concluída|fechado|resolvido|sim|' +
    'verdadeiro|完了|済|済み|はい|対応済み|対応済|完成|已完成|완료|fatto|completato|chiuso|vero|gereed|klaar|afgerond',
  in_progress:
    'in progress|inprogress|doing|started|in development|in work|wip|ongoing|in review|in arbeit|in bearbeitung|begonnen|läuft|en cours|commencé|' +
    'en progreso|en curso|em andamento|em progresso|em curso|進行中|対応中|作業中|着手|处理中|进行中|진행 중|in corso|bezig',
  skipped:
    "skipped|cancelled|canceled|won't do|wont do|n/a|not applicable|abgebrochen|verworfen|entfällt|annulé|abandonné|sans objet|" +
    'cancelado|cancelada|descartado|no aplica|não se aplica|取消|中止|対象外|キャンセル|已取消|annullato|geannuleerd',
};

const slugOf = new Map<string, BuiltInSlug>();
for (const slug of ['todo', 'done', 'in_progress', 'skipped'] as const)
  for (const word of words[slug].split('|')) if (!slugOf.has(word)) slugOf.set(word, slug);

/** A sign for no, as a character or as the shortcode of a chat. */
const cross = /^(?:[❌❎✗✘✖]\uFE0F?|:x:|:negative_squared_cross_mark:)$/u;
/** Whether a cell is nothing but a sign for no. */
export const isCross = (cell: string): boolean => cross.test(cell.trim());

/** Whether a cell is an icon of the tracker that says neither done nor open, as its warning sign. */
export const isIcon = (cell: string): boolean => /^\([!?+*i-]\)$/.test(cell.trim());

const share = /^\d{1,2}(?:[.,]\d+)? ?%$/;

/** Whether a cell says how much of an item is done: a percentage, its number, or the fraction that a spreadsheet keeps. */
export const isShare = (cell: string): boolean => share.test(cell) || /^(?:[1-9]\d|0?[.,]\d+)$/.test(cell);

/** The built-in status that a cell means, in any case. */
export function statusOfWord(word: string): BuiltInSlug | undefined {
  const text = folded(word).replace(/[‘’]/g, "'");
  if (isCross(word)) return 'todo';
  return slugOf.get(text) ?? (share.test(text) ? 'in_progress' : undefined);
}

/** The day of a time in milliseconds, which programs write at the start of the day in UTC. */
export function dayOfTime(milliseconds: string): string | undefined {
  const time = /^-?\d{1,15}$/.test(milliseconds) ? new Date(Number(milliseconds)) : undefined;
  const day = time && !Number.isNaN(time.getTime()) ? time.toISOString().slice(0, 10) : '';
  return /^\d{4}-/.test(day) ? day : undefined;
}

/** The day of a time in milliseconds or seconds in place of a day. Shorter numbers are no times. */
export const dueDayOfTime = (text: string): string | undefined =>
  /^\d{13}$/.test(text) ? dayOfTime(text) : /^[12]\d{9}$/.test(text) ? dayOfTime(`${text}000`) : undefined;

/** The day of a time as calendars write it: `20260301T230000Z`. */
export const dayOfStamp = (text: string): string | undefined =>
  /^\d{8}T\d{6}Z?$/.test(text) ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}` : undefined;

/** Whether a cell says yes. */
export const isTrue = (word: string): boolean => statusOfWord(word) === 'done';

/** Whether a cell is a truth of a spreadsheet, as its check boxes are written. */
export const isTruth = (cell: string): boolean =>
  /^(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|verdadeiro)$/i.test(cell.trim());

/** The kinds of a row or an object of an export. */
export type RowType = 'section' | 'note' | 'setting' | 'task';

const rowTypes = new Map<string, RowType>([
  ...['section', 'project', 'heading'].map(word => [word, 'section'] as const),
  ['note', 'note'],
  ['meta', 'setting'],
  ['task', 'task'],
  ['action', 'task'],
]);

/** The type that a cell or a field states. */
export const rowTypeOf = (word: string): RowType | undefined => rowTypes.get(folded(word));
