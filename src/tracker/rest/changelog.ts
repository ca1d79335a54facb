import type { FastifyInstance } from 'fastify';
import type { Changelog } from 'jira.js/cloud';
import * as v from 'valibot';
import { integerText, parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import type { Caller } from '../permissions.ts';
import { requireScope } from '../session.ts';
import type { Change, Issue } from '../site/model.ts';
import { findIssue } from '../site/site.ts';
import { maySee, requireSignedIn, visibleIssue } from './access.ts';
import { accountBean, pageBean, timeBean } from './beans.ts';

export const CHANGES_PER_PAGE = 100;
/** Limits of the bulk fetch: its page, and the issues and fields of its request. */
const MAX_BULK_PAGE_SIZE = 10_000;
const DEFAULT_BULK_PAGE_SIZE = 1_000;
const MAX_BULK_ISSUES = 1_000;
const MAX_BULK_FIELDS = 10;

const params = v.object({ issue: v.string() });
const pageQuery = v.object({
  startAt: v.optional(v.pipe(integerText, v.minValue(0)), 0),
  maxResults: v.optional(
    v.fallback(v.pipe(integerText, v.minValue(0), v.maxValue(CHANGES_PER_PAGE)), CHANGES_PER_PAGE),
    CHANGES_PER_PAGE,
  ),
});
const bulkBody = v.object({
  issueIdsOrKeys: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MAX_BULK_ISSUES)),
  fieldIds: v.optional(v.pipe(v.array(v.string()), v.maxLength(MAX_BULK_FIELDS))),
  maxResults: v.optional(
    v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MAX_BULK_PAGE_SIZE)),
    DEFAULT_BULK_PAGE_SIZE,
  ),
  nextPageToken: v.nullish(v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))),
});

/** Changelogs, oldest change first: of one issue, and of many. */
export function changelogRoutes(app: FastifyInstance, context: Context): void {
  app.get('/issue/:issue/changelog', request => {
    requireScope(request.caller, 'READ');
    const issue = visibleIssue(context, request.caller, parseAs(params, request.params).issue);
    const page = parseAs(pageQuery, request.query);
    return pageBean(context.site, request.url, issue.history.toReversed(), page, change => changeBean(context, change));
  });

  app.post('/changelog/bulkfetch', request => {
    requireScope(request.caller, 'INACCESSIBLE', 'read:jira-work');
    requireSignedIn(request.caller);
    const { issueIdsOrKeys, fieldIds, maxResults, nextPageToken } = parseAs(bulkBody, request.body);
    const from = nextPageToken ?? 0;
    const matchingChanges = visible(context, request.caller, issueIdsOrKeys).flatMap(({ id, history }) =>
      history.filter(({ items }) => isWanted(items, fieldIds)).map(change => ({ issueId: id, change })),
    );
    matchingChanges.sort((a, b) => Number(a.change.id) - Number(b.change.id));
    const page = matchingChanges.slice(from, from + maxResults);
    const issueIds = [...new Set(page.map(({ issueId }) => issueId))];
    return {
      issueChangeLogs: issueIds.map(issueId => ({
        issueId,
        // In no promised order.
        changeHistories: page
          .filter(entry => entry.issueId === issueId)
          .map(({ change }) => changeBean(context, change))
          .reverse(),
      })),
      ...(from + maxResults < matchingChanges.length && { nextPageToken: String(from + maxResults) }),
    };
  });
}

export const changeBean = (context: Context, { id, author, created, items }: Change) =>
  ({
    id,
    author: accountBean(context, author),
    created: timeBean(created),
    // The vendor leaves the id out if the field's name says the same.
    items: items.map(({ fieldId, ...item }) => (fieldId === item.field ? item : { ...item, fieldId })),
  }) satisfies Pick<Changelog, 'id' | 'author' | 'items'> & { created: string };

/** A change comes whole if one of its items is of a wanted field. */
const isWanted = (items: Change['items'], fieldIds: readonly string[] | undefined): boolean =>
  fieldIds === undefined || items.some(({ fieldId }) => fieldIds.includes(fieldId));

/** The issues visible to the caller, each once; others are left out silently. */
const visible = (context: Context, caller: Caller, idsOrKeys: readonly string[]): Issue[] => {
  const foundIssues = idsOrKeys.flatMap(idOrKey => findIssue(context.site, idOrKey) ?? []);
  return [...new Set(foundIssues)].filter(issue => maySee(context, caller, issue));
};
