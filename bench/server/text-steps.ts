import { randomUUID } from 'node:crypto';
import { type ApiSession, patiently } from './users.ts';

/*
 * Requests that concern many texts at once, of a site with sixty templates and a hundred checklists of a thousand rows.
 */

const ROWS = 1_000;
const CHECKLISTS = 100;
const TEMPLATES = 60;
const APPLIED = 20;

/** Rows of which each may name a status. */
const rows = (word: string) => Array.from({ length: ROWS }, (_, index) => `- [Hold] ${word} ${index}`).join('\n');
const issues = Array.from({ length: CHECKLISTS }, (_, index) => String(92_001 + index));

const SUMMARIES = 'query ($ids: [ID!]!) { checklistSummaries(issueIds: $ids) { total checked } }';
const READ = 'query ($id: ID!) { checklist(issueId: $id) { epoch seq hash } }';
const CHANGE = `mutation ($input: ChangeChecklistInput!) {
  changeChecklist(input: $input) { checklist { epoch seq hash } errors { code message } }
}`;
const CREATE_TEMPLATE = `mutation ($input: CreateTemplateFromTextInput!) {
  createTemplateFromText(input: $input) { template { id } errors { message } }
}`;
const UPDATE_TEMPLATE = `mutation ($input: UpdateTemplateInput!) {
  updateTemplate(input: $input) { template { id } errors { message } }
}`;
const CREATE_STATUS = `mutation ($input: CreateStatusInput!) { createStatus(input: $input) { errors { code } } }`;
const RENAME_STATUS = `mutation ($input: UpdateStatusInput!) { updateStatus(input: $input) { errors { message } } }`;

/** What runs before a request without being measured, and the request. */
export interface Step {
  before?(): Promise<unknown>;
  run(): Promise<unknown>;
}

/** The requests; the site is filled before the first of them. `session` is one that administers the site. */
export function textSteps(session: () => ApiSession): Record<string, Step> {
  const ask = <Data>(query: string, variables: object = {}) => session().graphql<Data>(query, variables);
  let templates: string[] = [];
  let filled: Promise<void> | undefined;
  let number = 0;

  async function change(issueId: string, values: object) {
    const { checklist: base } = await ask<{ checklist: object }>(READ, { id: issueId });
    return ask(CHANGE, { input: { issueId, clientId: randomUUID(), base, change: values } });
  }
  async function fill() {
    await ask(CREATE_STATUS, { input: { name: 'Hold', color: 'blue', checked: false } });
    for (const issue of issues) {
      await patiently(() => change(issue, { kind: 'updateChecklistFromText', text: rows(issue) }));
    }
    for (let index = 0; index < TEMPLATES; index++) {
      const input = { name: `Large ${index}`, text: rows(`template ${index}`) };
      const { createTemplateFromText: made } = await patiently(() =>
        ask<{ createTemplateFromText: { template: { id: string } | null } }>(CREATE_TEMPLATE, { input }),
      );
      if (made.template) templates = [...templates, made.template.id];
    }
  }
  const before = () => {
    filled ??= fill();
    return filled;
  };
  const summaries = () => ask(SUMMARIES, { ids: issues });
  const aliased = (field: string) => `{ ${[1, 2, 3, 4, 5].map(n => `a${n}: ${field}`).join(' ')} }`;
  const refused = (work: Promise<unknown>) => work.catch(() => {});
  const apply = (count: number) => () =>
    change('90002', {
      kind: 'applyTemplateToChecklist',
      templateIds: templates.slice(0, count),
      mode: 'REPLACE',
    });
  const merged = (text: string, baseText: string) =>
    ask(UPDATE_TEMPLATE, { input: { id: templates[0], text, baseText } });

  return {
    'the figures of 100 checklists of 1,000 rows that may name statuses': { before, run: summaries },
    'five aliased figures (refused)': {
      run: () => refused(ask(aliased(`checklistSummaries(issueIds: ["${issues.join('", "')}"]) { total }`))),
    },
    'a template of 1,000 rows, merged': {
      before,
      run: () => merged(rows(`mine ${number++}`), rows('template 0')),
    },
    'a template and its base of 8,000 rows (refused)': {
      before,
      run: () => {
        const large = Array.from({ length: 8 }, (_, index) => rows(`part ${index}`)).join('\n');
        return merged(large, `${large}\n- a`);
      },
    },
    'the use of a status in 60 templates of 1,000 rows': {
      before,
      run: () => ask('{ statusUse(slug: "hold") { items templates } }'),
    },
    'a status that is renamed in 60 templates of 1,000 rows': {
      before,
      // The job begins at once.
      async run() {
        await ask(RENAME_STATUS, { input: { slug: 'hold', name: number++ % 2 ? 'Hold' : 'Waiting' } });
        await new Promise(resolve => setTimeout(resolve, 3_000));
      },
    },
    'a template of 1,000 rows, applied': { before, run: apply(1) },
    '20 templates of 1,000 rows, applied (refused)': { before, run: apply(APPLIED) },
    'a version of 1,000 rows, restored': {
      async before() {
        await before();
        await change('90003', { kind: 'updateChecklistFromText', text: rows(`kept ${number}`) });
      },
      async run() {
        const { checklist } = await ask<{ checklist: { epoch: string; seq: number } }>(READ, { id: '90003' });
        const { epoch, seq } = checklist;
        await change('90003', { kind: 'updateChecklistFromText', text: rows(`other ${number++}`) });
        await change('90003', { kind: 'restoreChecklistRevision', epoch, seq });
      },
    },
    'a hundred templates with their texts': {
      before,
      run: () => ask('{ templates(first: 100) { templates { text } } }'),
    },
    'five aliases of these (refused)': {
      run: () => refused(ask(aliased('templates(first: 100) { templates { text } }'))),
    },
    'an export of all templates': { before, run: () => refused(ask('{ exportTemplates }')) },
  };
}
