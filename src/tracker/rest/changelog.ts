import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Context } from '../context.ts';
import type { Caller } from '../permissions.ts';
import { requireScope } from '../session.ts';
import type { Change, Issue } from '../site/model.ts';
import { findIssue } from '../site/site.ts';
import { maySee, requireSignedIn, visibleIssue } from './access.ts';
import { accountBean, pageBean } from './beans.ts';
import { badRequest } from './errors.ts';

/** Most changes in one answer of an issue's changelog. */
export const PAGE = 100;
/** The same of the bulk fetch, and the limits of its request. */
const BULK_PAGE = 10_000;
const BULK_DEFAULT = 1_000;
const BULK_ISSUES = 1_000;
const BULK_FIELDS = 10;

const params = z.object({ issue: z.string() });
const pageQuery = z.object({
  startAt: z.coerce.number().int().min(0).default(0),
  maxResults: z.coerce.number().int().min(0).max(PAGE).catch(PAGE).default(PAGE),
});
const bulkBody = z.object({
  issueIdsOrKeys: z.array(z.string()).min(1).max(BULK_ISSUES),
  fieldIds: z.array(z.string()).max(BULK_FIELDS).optional(),
  maxResults: z.int().min(1).max(BULK_PAGE).default(BULK_DEFAULT),
  nextPageToken: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .nullish(),
});

/** Changelogs, oldest change first: of one issue, and of many. */
export function changelogRoutes(app: FastifyInstance, context: Context): void {
  app.get('/issue/:issue/changelog', request => {
    requireScope(request.caller, 'READ');
    const issue = visibleIssue(context, request.caller, params.parse(request.params).issue);
    const page = pageQuery.parse(request.query);
    return pageBean(context.site, request.url, issue.history.toReversed(), page, change => changeBean(context, change));
  });

  app.post('/changelog/bulkfetch', request => {
    requireScope(request.caller, 'READ');
    requireSignedIn(request.caller);
    const body = bulkBody.safeParse(request.body);
    if (!body.success) throw badRequest(z.prettifyError(body.error));
    const { issueIdsOrKeys, fieldIds, maxResults, nextPageToken } = body.data;
    const from = nextPageToken ?? 0;
    const all = visible(context, request.caller, issueIdsOrKeys).flatMap(({ id, history }) =>
      history.filter(({ items }) => isWanted(items, fieldIds)).map(change => ({ issueId: id, change })),
    );
    all.sort((a, b) => Number(a.change.id) - Number(b.change.id));
    const page = all.slice(from, from + maxResults);
    const issueIds = [...new Set(page.map(({ issueId }) => issueId))];
    return {
      issueChangeLogs: issueIds.map(issueId => ({
        issueId,
        changeHistories: page
          .filter(entry => entry.issueId === issueId)
          .map(({ change }) => changeBean(context, change)),
      })),
      ...(from + maxResults < all.length && { nextPageToken: String(from + maxResults) }),
    };
  });
}

export const changeBean = (context: Context, { id, author, created, items }: Change) => ({
  id,
  author: accountBean(context, author),
  created: created.replace('Z', '+0000'),
  items,
});

/** A change comes whole where one of its items is of a wanted field. */
const isWanted = (items: Change['items'], fieldIds: readonly string[] | undefined): boolean =>
  fieldIds === undefined || items.some(({ fieldId }) => fieldIds.includes(fieldId));

/** The issues visible to the caller, each once; others are left out silently. */
const visible = (context: Context, caller: Caller, idsOrKeys: readonly string[]): Issue[] => {
  const found = idsOrKeys.flatMap(idOrKey => findIssue(context.site, idOrKey) ?? []);
  return [...new Set(found)].filter(issue => maySee(context, caller, issue));
};
