import * as v from 'valibot';
import { random } from '../../bench/random.ts';
import { createSession } from './addon.ts';
import type { Violation } from './model.ts';
import { rowsOf } from './rows.ts';
import { type ChaosSite, cookieOf, pause, type Revision } from './site.ts';
import { createTemplate, templateRow } from './template-author.ts';

/** A rule that was made, and the rows of its template. */
interface Rule {
  id: string;
  rows: readonly string[];
}

/** An administrator who creates rules that apply templates when an issue's summary changes. */
export interface RuleAuthor {
  work(isOver: () => boolean): Promise<void>;
  /** Triggers all rules on every issue once more. */
  end(): Promise<void>;
  /** Checks an issue's history: each rule is applied once, under its own name, with all of its rows. */
  check(issue: string, history: readonly Revision[]): { applied: number; violations: Violation[] };
}

/** The maximum number of rules, and milliseconds from one to the next. */
const MAX_RULES = 8;
const PAUSE = 2_000;
/** Their templates' rows are numbered from here on. */
const FIRST = 8_500_000;

const created = v.object({
  assignments: v.nullable(v.array(v.object({ id: v.string(), templateId: v.string() }))),
});

export function createRuleAuthor(
  site: ChaosSite,
  issues: readonly string[],
  account: string,
  seed: number,
): RuleAuthor {
  const session = createSession(site, account);
  const r = random(seed);
  const rules: Rule[] = [];
  let rows = FIRST;
  let turn = 0;
  const url = () => site.addons[turn++ % site.addons.length]?.url ?? '';
  const document = `mutation ($input: TemplateAssignmentInput!) {
    createTemplateAssignment(input: $input) { assignments { id templateId } errors { code message } }
  }`;

  async function make(): Promise<void> {
    const own = [templateRow(++rows), templateRow(++rows)];
    const template = await createTemplate(session, url(), `Rule ${rows}`, own);
    if (!template) return;
    const input = {
      ...{ templateId: template.id, projectIds: [], issueTypeIds: [], moment: 'FIELD_CHANGED' },
      ...{ fieldId: 'summary', enabled: true },
    };
    const data = await session.ask(url(), document, { input });
    if (typeof data === 'string') return;
    const { assignments } = v.parse(created, data.createTemplateAssignment);
    const found = assignments?.find(({ templateId }) => templateId === template.id);
    if (found) rules.push({ id: found.id, rows: [...rowsOf(template.text).keys()] });
  }

  async function rename(issue: string): Promise<void> {
    const headers = { ...cookieOf(account), 'content-type': 'application/json' };
    const payload = JSON.stringify({ fields: { summary: `Summary ${Date.now()}` } });
    const path = `/rest/api/2/issue/${issue}`;
    const { statusCode } = await site.tracker.app.inject({ method: 'PUT', url: path, headers, payload });
    if (statusCode >= 300) throw new Error(`The tracker answered ${statusCode} to a new summary.`);
  }

  return {
    async work(isOver) {
      while (!isOver()) {
        await pause(PAUSE / 2 + r.int(PAUSE));
        if (rules.length < MAX_RULES) await make();
        await rename(r.pick(issues));
      }
    },
    async end() {
      for (const issue of issues) await rename(issue);
    },
    check(issue, history) {
      const violations: Violation[] = [];
      const report = (what: string, detail: string) => violations.push({ what, issue, detail });
      let applied = 0;
      for (const { id, rows } of rules) {
        const found = history.filter(({ client }) => client === `rule:${id}`);
        applied += found.length;
        if (found.length !== 1) report('a rule is not applied once', `rule ${id}: ${found.length} times`);
        for (const { text, seq } of found) {
          const missing = rows.filter(row => !rowsOf(text).has(row));
          if (missing.length) report('a rule is applied in part', `revision ${seq} lacks ${missing.join(', ')}`);
        }
      }
      return { applied, violations };
    },
  };
}
