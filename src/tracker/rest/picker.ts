import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import { requireScope } from '../session.ts';
import type { Issue } from '../site/model.ts';
import { escapeHtml } from '../site/richtext.ts';
import { typeOf } from '../site/site.ts';
import { maySee, requireSignedIn } from './access.ts';

const pickerQuery = v.object({ query: v.optional(v.string(), ''), currentJQL: v.optional(v.string()) });

const MAX_SECTION_ISSUES = 20;

/** Whether an issue's key, or a word of its summary, starts with the query. */
const matches = ({ key, summary }: Issue, query: string): boolean =>
  key.toLowerCase().startsWith(query) ||
  summary
    .toLowerCase()
    .split(/\s+/)
    .some(word => word.startsWith(query));

/** The issue picker: recently viewed issues, always empty here, and a search, newest first. */
export function pickerRoutes(app: FastifyInstance, context: Context): void {
  app.get('/issue/picker', ({ caller, query }) => {
    requireScope(caller, 'READ');
    requireSignedIn(caller);
    const { query: typed, currentJQL } = parseAs(pickerQuery, query);
    const searchText = typed.trim().toLowerCase();
    const matchingIssues =
      currentJQL === undefined || searchText === ''
        ? []
        : context.site.issues
            .list()
            .map(({ value }) => value)
            .filter(issue => maySee(context, caller, issue) && matches(issue, searchText))
            .sort((one, other) => other.updated.localeCompare(one.updated));
    const shown = matchingIssues.slice(0, MAX_SECTION_ISSUES).map(({ id, key, typeId, summary }) => ({
      id: Number(id),
      key,
      keyHtml: escapeHtml(key),
      img: `/images/types/${typeOf(typeId).icon}.svg`,
      summary: escapeHtml(summary),
      summaryText: summary,
    }));
    return {
      sections: [
        { label: 'History Search', sub: 'No matching issues', id: 'hs', issues: [] },
        {
          label: 'Current Search',
          sub: `Showing ${shown.length} of ${matchingIssues.length} matching issues`,
          id: 'cs',
          msg: shown.length === 0 ? 'No matching issues' : undefined,
          issues: shown,
        },
      ],
    };
  });
}
