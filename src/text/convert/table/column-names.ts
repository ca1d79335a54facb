/** The meaning of a table's column, or of an exported object's field, for an item. */
export type ColumnKind =
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
  /** Items below the row's own, in one cell. */
  | 'items'
  /** Whether a row is a section, a task or a note. */
  | 'type';

/** Names of columns in spreadsheets, trackers and task apps: English, German, French, Spanish, Portuguese, Japanese. */
const names: Record<ColumnKind, string> = {
  text:
    'text|name|summary|item|task|title|to do|todo|step|check|checklist item|task name|action|action item|subject|what|content|' +
    'display name|activity|card name|card title|checkitem|item name|issue|requirement|deliverable|tasks|actions|items|steps|' +
    'aufgabe|aufgaben|titel|zusammenfassung|betreff|bezeichnung|aktion|maßnahme|schritt|thema|was|' +
    'tâche|tâches|titre|résumé|nom|objet|élément|étape|sujet|quoi|nom de la tâche|' +
    'tarea|tareas|título|resumen|nombre|asunto|elemento|acción|paso|qué|nombre de la tarea|' +
    'tarefa|tarefas|resumo|nome|assunto|ação|etapa|passo|o quê|o que|nome da tarefa|' +
    'タスク|タスク名|件名|タイトル|要約|概要|項目|作業|作業内容|名前|やること|内容|任务|任務|标题|標題|事项|할 일|작업|제목|attività|titolo|compito|taak|onderwerp',
  key: 'key|issue key|vorgangsschlüssel|schlüssel|clé|clé de ticket|clave|chave|キー|課題キー',
  status:
    '% complete|percent complete|% done|status|state|progress|stand|zustand|fortschritt|statut|état|avancement|progression|estado|progreso|situação|progresso|andamento|ステータス|状態|状況|進捗|进度|状态|狀態|상태|stato|% abgeschlossen|% terminé|% completado|達成率',
  done:
    'done|completed|complete|checked|finished|closed|resolved|due complete|is done|is completed|is checked|erledigt|fertig|abgeschlossen|gemacht|' +
    'terminé|fait|fini|terminée|achevé|hecho|completado|completada|terminado|listo|feito|concluído|concluída|pronto|finalizado|' +
    '完了|済|済み|完成|완료|fatto|gereed|klaar',
  completed:
    'completed at|completed on|completed date time|completion date|date completed|completed date|completed time|done date|done at|finished at|closed at|' +
    "abgeschlossen am|erledigt am|abschlussdatum|date d’achèvement|date d'achèvement|terminé le|fecha de finalización|completado el|" +
    'data de conclusão|concluído em|完了日|完了日時',
  mandatory: 'mandatory|required|pflicht|erforderlich|obligatoire|requis|obligatorio|requerido|obrigatório|必須',
  assignee:
    'assign|members|assignee|assignee ids|assignee account id|assignee account ids|assignee username|assignee name|owner|assigned to|responsible|who|assigned|assignees|owners|person|responsible person|' +
    'zuständig|verantwortlich|bearbeiter|zugewiesen an|zugewiesen|person(en)|wer|verantwortliche|zugewiesene person|' +
    'responsable|assigné à|assigné|attribué à|personne assignée|qui|asignado a|asignado|persona asignada|quién|encargado|' +
    'responsável|atribuído a|atribuído|quem|担当者|担当|责任人|负责人|負責人|담당자|responsabile|verantwoordelijke',
  due:
    'target date|target|due by date|zieldatum|zieltermin|date cible|fecha objetivo|data alvo|data-alvo|目標日|目标日期|목표일|data obiettivo|streefdatum|' +
    'due|due date|due date time|when|by when|deadline|duedate|due on|due at|date due|due by|until|fällig|fälligkeitsdatum|fällig am|frist|termin|bis|wann|bis wann|fälligkeit|' +
    "échéance|date d’échéance|date d'échéance|date limite|délai|quand|cuándo|quando|vencimiento|fecha de vencimiento|fecha límite|plazo|vence|" +
    'vencimento|data de vencimento|prazo|data limite|data de entrega|期限|期日|締切|締め切り|納期|いつ|截止日期|到期日|마감일|기한|scadenza|vervaldatum',
  section:
    'nombre del depósito|nom du compartiment|nome do bucket|bucketname|バケット名|tasklist|task list|section|group|list|phase|category|heading|section/column|column name|bucket|bucket name|list name|column|stage|card|' +
    'abschnitt|gruppe|liste|kategorie|bereich|spalte|section/colonne|groupe|catégorie|rubrique|sección|grupo|lista|fase|categoría|' +
    'seção|secção|categoria|セクション|グループ|リスト|カテゴリ|カテゴリー|分類|区分',
  level: 'level|ebene|niveau|nivel|nível|レベル',
  details:
    'desc|body|card description|task description|task content|details|notes|note|description|comment|comments|remark|remarks|notizen|notiz|beschreibung|kommentar|kommentare|bemerkung|' +
    'bemerkungen|anmerkung|anmerkungen|notes|commentaire|commentaires|remarque|remarques|notas|nota|descripción|comentario|comentarios|' +
    'observaciones|descrição|comentário|comentários|observações|備考|メモ|説明|コメント|詳細|备注|描述|비고|메모|설명|descrizione|omschrijving',
  items:
    'checklist items|checklistenelemente|éléments de la liste de contrôle|elementos de la lista de comprobación|' +
    'itens da lista de verificação|チェックリスト項目',
  type: 'type',
};

/** A name or a word without its case and the signs around it. */
export const folded = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[*_`:?：]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

const kindOf = new Map<string, ColumnKind>();
for (const kind of Object.keys(names) as ColumnKind[]) {
  for (const name of names[kind].split('|')) if (!kindOf.has(name)) kindOf.set(name, kind);
}

/** The kind of a column or a field by its name. */
export const kindOfName = (name: string): ColumnKind | undefined => kindOf.get(folded(name));

/** Names that are of a day only if the cells say days. */
const dates = new Set('by|date|datum|fecha|data|日付|日期|날짜'.split('|'));
export const isDateName = (name: string): boolean => dates.has(folded(name));

/** Names of columns that hold notes about an item as often as its title. */
const weakTitles = new Set(['content', 'text', 'body', '内容', 'display name']);

/** Whether another column of titles is a likelier one. */
export const isWeakTitle = (name: string): boolean => weakTitles.has(folded(name));
