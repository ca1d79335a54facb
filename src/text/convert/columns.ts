import type { BuiltInSlug } from '../../domain/statuses.ts';
import { boxOf } from './head.ts';

/** What a column of a table says about an item. */
export interface Column {
  kind:
    | 'text'
    | 'key'
    | 'status'
    | 'done'
    /** The day of completion: any means that the item is done. */
    | 'completed'
    | 'mandatory'
    | 'assignee'
    | 'due'
    | 'section'
    | 'level'
    | 'details'
    /** Whether a row is a section, a task or a note. */
    | 'type';
  index: number;
}

/** Names of columns in spreadsheets, trackers and task apps: English, German, French, Spanish, Portuguese, Japanese. */
const names: Record<Column['kind'], string> = {
  text:
    'text|name|summary|item|task|title|to do|todo|step|check|checklist item|task name|action|action item|subject|what|content|' +
    'activity|card name|card title|checkitem|item name|issue|requirement|deliverable|tasks|actions|items|steps|' +
    'aufgabe|aufgaben|titel|zusammenfassung|betreff|bezeichnung|aktion|maßnahme|schritt|thema|was|' +
    'tâche|tâches|titre|résumé|nom|objet|élément|étape|sujet|quoi|nom de la tâche|' +
    'tarea|tareas|título|resumen|nombre|asunto|elemento|acción|paso|qué|nombre de la tarea|' +
    'tarefa|tarefas|resumo|nome|assunto|ação|etapa|passo|o quê|o que|nome da tarefa|' +
    'タスク|タスク名|件名|タイトル|要約|概要|項目|作業|作業内容|名前|やること|内容|任务|任務|标题|標題|事项|할 일|작업|제목|attività|titolo|compito|taak|onderwerp',
  key: 'key|issue key|vorgangsschlüssel|schlüssel|clé|clé de ticket|clave|chave|キー|課題キー',
  status:
    '% complete|percent complete|% done|status|state|progress|stand|zustand|fortschritt|statut|état|avancement|progression|estado|progreso|situação|progresso|andamento|ステータス|状態|状況|進捗|进度|状态|狀態|상태|stato|% abgeschlossen|% terminé|% completado|達成率',
  done:
    'done|completed|complete|checked|finished|is done|is completed|is checked|erledigt|fertig|abgeschlossen|gemacht|' +
    'terminé|fait|fini|terminée|achevé|hecho|completado|completada|terminado|listo|feito|concluído|concluída|pronto|finalizado|' +
    '完了|済|済み|完成|완료|fatto|gereed|klaar',
  completed:
    'completed at|completed on|completion date|date completed|completed date|completed time|done date|done at|finished at|closed at|' +
    "abgeschlossen am|erledigt am|abschlussdatum|date d’achèvement|date d'achèvement|terminé le|fecha de finalización|completado el|" +
    'data de conclusão|concluído em|完了日|完了日時',
  mandatory: 'mandatory|required|pflicht|erforderlich|obligatoire|requis|obligatorio|requerido|obrigatório|必須',
  assignee:
    'assign|members|assignee|assignee username|assignee name|owner|assigned to|responsible|who|assigned|assignees|owners|person|responsible person|' +
    'zuständig|verantwortlich|bearbeiter|zugewiesen an|zugewiesen|person(en)|wer|verantwortliche|zugewiesene person|' +
    'responsable|assigné à|assigné|attribué à|personne assignée|qui|asignado a|asignado|persona asignada|quién|encargado|' +
    'responsável|atribuído a|atribuído|quem|担当者|担当|责任人|负责人|負責人|담당자|responsabile|verantwoordelijke',
  due:
    'due|due date|when|by when|deadline|duedate|due on|due at|date due|due by|until|fällig|fälligkeitsdatum|fällig am|frist|termin|bis|wann|bis wann|fälligkeit|' +
    "échéance|date d’échéance|date d'échéance|date limite|délai|quand|cuándo|quando|vencimiento|fecha de vencimiento|fecha límite|plazo|vence|" +
    'vencimento|data de vencimento|prazo|data limite|data de entrega|期限|期日|締切|締め切り|納期|いつ|截止日期|到期日|마감일|기한|scadenza|vervaldatum',
  section:
    'section|group|list|phase|category|heading|section/column|column name|bucket|bucket name|list name|column|stage|card|' +
    'abschnitt|gruppe|liste|kategorie|bereich|spalte|section/colonne|groupe|catégorie|rubrique|sección|grupo|lista|fase|categoría|' +
    'seção|secção|categoria|セクション|グループ|リスト|カテゴリ|カテゴリー|分類|区分',
  level: 'level|ebene|niveau|nivel|nível|レベル',
  details:
    'card description|task description|task content|details|notes|note|description|comment|comments|remark|remarks|notizen|notiz|beschreibung|kommentar|kommentare|bemerkung|' +
    'bemerkungen|anmerkung|anmerkungen|notes|commentaire|commentaires|remarque|remarques|notas|nota|descripción|comentario|comentarios|' +
    'observaciones|descrição|comentário|comentários|observações|備考|メモ|説明|コメント|詳細|备注|描述|비고|메모|설명|descrizione|omschrijving',
  type: 'type',
};

const folded = (text: string) =>
  text
    .normalize('NFC')
    .replace(/[*_`:?：]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

const kindOf = new Map<string, Column['kind']>();
for (const kind of Object.keys(names) as Column['kind'][]) {
  for (const name of names[kind].split('|')) if (!kindOf.has(name)) kindOf.set(name, kind);
}

/** The columns whose names are known. Of several of a kind the one with most cells counts, but for details and texts. */
function namedColumns(cells: readonly string[], rows: readonly (readonly string[])[] = []): Column[] {
  const named = cells.flatMap((cell, index): Column[] => {
    // A head is short: a known name in a sentence is none.
    const kind = cell.length < 60 ? kindOf.get(folded(cell)) : undefined;
    return kind ? [{ kind, index }] : [];
  });
  const filled = ({ index }: Column) => rows.filter(row => (row[index] ?? '').trim() !== '').length;
  const fullest = new Map<Column['kind'], Column>();
  for (const column of named) {
    const other = fullest.get(column.kind);
    if (!other || filled(column) > filled(other)) fullest.set(column.kind, column);
  }
  const columns = named.filter(
    column => column.kind === 'details' || column.kind === 'text' || fullest.get(column.kind) === column,
  );
  const date = cells.findIndex(cell => folded(cell) === 'date');
  // Todoist says so to the due day; in a log it is another.
  if (fullest.has('type') && !fullest.has('due') && date >= 0) columns.push({ kind: 'due', index: date });
  // Only a section has a level that a header can have.
  return fullest.has('section') ? columns : columns.filter(({ kind }) => kind !== 'level');
}

/** Whether a column of that name is understood. */
export const isKnownName = (name: string): boolean => kindOf.has(folded(name)) || folded(name) === 'date';

/** How many columns a first row names by names that are known. */
export const knownNames = (cells: readonly string[]): number => namedColumns(cells).length;

const isDatum = (cell: string) =>
  /^[\d\s.,:/+\-–TZ%€$£#]*$/.test(cell) ||
  /^[\w.+-]+@[\w.-]+$/.test(cell) ||
  /^https?:\/\/\S+$/.test(cell) ||
  statusOfWord(cell) !== undefined;

/** How much a column's cells read like the titles of items: filled, different from each other, words rather than data. */
function titleScore(cells: readonly string[]): number {
  const filled = cells.filter(cell => cell !== '');
  if (filled.length === 0) return 0;
  const words = filled.filter(cell => !isDatum(cell));
  const different = new Set(words).size;
  const length = words.reduce((sum, cell) => sum + Math.min(cell.length, 60), 0) / Math.max(1, words.length);
  return (words.length / cells.length) * (different / filled.length) * Math.min(1, length / 12);
}

/** The column that holds the titles, by what its cells say; the first of equal ones. */
function titleColumn(rows: readonly (readonly string[])[], known: readonly Column[], width: number): number {
  let [best, bestScore] = [-1, 0];
  for (let index = 0; index < width; index++) {
    if (known.some(column => column.index === index)) continue;
    const score = titleScore(rows.map(row => (row[index] ?? '').trim()));
    // Titles stand further left than what is said of them.
    if (score > bestScore * 1.25) [best, bestScore] = [index, score];
  }
  return bestScore >= 0.2 ? best : -1;
}

/** Of several columns of texts the one that reads most like titles is the items' text; keys and details are the others. */
function withOneText(columns: readonly Column[], rows: readonly (readonly string[])[]): Column[] {
  const texts = columns.filter(({ kind }) => kind === 'text');
  if (texts.length < 2) return [...columns];
  const cellsOf = ({ index }: Column) => rows.map(row => (row[index] ?? '').trim());
  const scores = texts.map(column => titleScore(cellsOf(column)));
  const title = texts[scores.indexOf(Math.max(...scores))];
  return columns.map(column => {
    if (column.kind !== 'text' || column === title) return column;
    const isKey = cellsOf(column).every(cell => cell === '' || /^[A-Z][A-Z0-9_]+-\d+$/.test(cell));
    return { ...column, kind: isKey && !columns.some(({ kind }) => kind === 'key') ? 'key' : 'details' };
  });
}

/** Whether a cell is an icon of the tracker that says neither done nor open, as its warning sign. */
export const isIcon = (cell: string): boolean => /^\([!?+*i-]\)$/.test(cell);

/** The column that holds nothing but boxes, crosses and such icons, if there is one, and another that says of what. */
export function boxColumn(rows: readonly (readonly string[])[]): number {
  const boxed = new Set<number>();
  const worded = new Set<number>();
  for (const cells of rows)
    for (const [index, text] of cells.entries()) {
      const cell = text.trim();
      if (cell !== '' && !isIcon(cell)) (boxOf(cell)?.text === '' || isCross(cell) ? boxed : worded).add(index);
    }
  const [column = -1, ...others] = [...boxed].filter(index => !worded.has(index));
  return others.length > 0 || (rows[0]?.length ?? 0) < 2 ? -1 : column;
}

/** The columns with that of boxes, if no name says which one has the status. */
function withBoxes(columns: readonly Column[], rows: readonly (readonly string[])[]): Column[] {
  const isStated = columns.some(({ kind }) => kind === 'status' || kind === 'done' || kind === 'completed');
  const index = isStated ? -1 : boxColumn(rows);
  return index < 0 || columns.some(column => column.index === index)
    ? [...columns]
    : [...columns, { kind: 'done', index }];
}

/** Rows by whose cells a column's content is judged. */
const MAX_JUDGED_ROWS = 50;

/**
 * The columns of a table by its first row, if that is a head: it names at least what some cells say. A head that names no
 * column of titles leaves them to be found by what the cells below say.
 */
export function columnsOf(
  cells: readonly string[],
  below: readonly (readonly string[])[] = [],
  isHead = false,
): Column[] | undefined {
  const rows = below.slice(0, MAX_JUDGED_ROWS);
  const named = withOneText(namedColumns(cells, rows), rows);
  const columns = named.length > 1 ? withBoxes(named, rows) : named;
  const texts = columns.filter(({ kind }) => kind === 'text');
  if (texts.length > 0) return columns.length > 1 || cells.length === 1 ? columns : undefined;
  if (columns.length === 0) return undefined;
  const others = columns.filter(({ kind }) => kind !== 'section');
  const index = others.length === 0 ? -1 : titleColumn(rows, columns, Math.min(cells.length, 1000));
  const withTitle = (at: number) => [
    ...columns.filter(column => column.index !== at),
    { kind: 'text' as const, index: at },
  ];
  if (index >= 0 && (columns.length > 1 || isHead)) return withTitle(index).sort((a, b) => a.index - b.index);
  const [prose] = columns.filter(({ kind }) => kind === 'details');
  return prose && columns.length > 1 ? withTitle(prose.index).sort((a, b) => a.index - b.index) : undefined;
}

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

const share = /^\d{1,2}(?:[.,]\d+)? ?%$/;

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

/** The day of a time in milliseconds that stands where a day is expected. Shorter numbers are no times. */
export const dueDayOfTime = (text: string): string | undefined => (/^\d{13}$/.test(text) ? dayOfTime(text) : undefined);

/** Whether a cell says yes. */
export const isTrue = (word: string): boolean => statusOfWord(word) === 'done';
