/** A query in the tracker's query language, and its description. */
export interface SearchQuery {
  title: string;
  jql: string;
}

/** Names of the site that the queries are built with. */
export interface QueryNames {
  /** Without one, the queries search all projects. */
  projectKey: string | undefined;
  /** A status of checklist items. */
  itemStatus: string;
  /** A status of issues, before which sections are to be done. */
  gate: string;
}

/** A name as a string of the query language. A project's key may be a word of it, such as AND. */
const quoted = (name: string): string => `"${name.replace(/["\\]/g, String.raw`\$&`)}"`;

/** Queries to begin with, built for a site. */
export function queriesFor({ projectKey, itemStatus, gate }: QueryNames): SearchQuery[] {
  const query = (title: string, condition: string, order = '') => {
    const clauses = [...(projectKey === undefined ? [] : [`project = ${quoted(projectKey)}`]), condition];
    return { title, jql: `${clauses.join(' AND ')}${order}` };
  };
  return [
    query('Open items assigned to you', 'checklistAssignee = currentUser()'),
    query('Open items due by the end of this week', 'checklistDue <= endOfWeek()'),
    query('Overdue items', 'checklistDue < startOfDay()'),
    query('Open mandatory items', 'checklistMandatoryOpen > 0'),
    query(
      'Checklists that are not complete',
      'checklistItems > 0 AND checklistPercent < 100',
      ' ORDER BY updated DESC',
    ),
    query('Complete checklists of open issues', 'checklistPercent = 100 AND statusCategory != Done'),
    query(`Items with the status “${itemStatus}”`, `checklistStatus = ${quoted(itemStatus)}`),
    query(`Open sections before ${gate}`, `checklistGate = ${quoted(gate)}`),
    query('Words of a checklist', 'checklistText ~ "release notes"'),
  ];
}

/** A name that the app adds to the tracker's query language. */
export interface SearchName {
  name: string;
  type: 'Text' | 'Number' | 'Date' | 'Person';
  words: string;
}

export const searchNames: readonly SearchName[] = [
  { name: 'checklistText', type: 'Text', words: 'Words of the checklist' },
  { name: 'checklistItems', type: 'Number', words: 'Items, without headers' },
  { name: 'checklistChecked', type: 'Number', words: 'Items that are done or skipped' },
  { name: 'checklistPercent', type: 'Number', words: 'Percentage of these items, rounded down' },
  { name: 'checklistMandatoryOpen', type: 'Number', words: 'Open mandatory items' },
  { name: 'checklistStatus', type: 'Text', words: 'Statuses that items have' },
  { name: 'checklistAssignee', type: 'Person', words: 'People with open items' },
  { name: 'checklistDue', type: 'Date', words: 'Due dates of open items' },
  { name: 'checklistGate', type: 'Text', words: 'Issue statuses before which open sections are to be done' },
];
