import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { integerText, parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import { holds } from '../permissions.ts';
import { requireScope } from '../session.ts';
import type { Person } from '../site/model.ts';
import { people, personOf } from '../site/people.ts';
import { escapeHtml } from '../site/richtext.ts';
import { requireSignedIn } from './access.ts';
import { appBean, avatarOf, pageBean, personBean } from './beans.ts';
import { badRequest, RestError, unauthorized } from './errors.ts';

const page = {
  startAt: v.optional(v.pipe(integerText, v.minValue(0)), 0),
  maxResults: v.optional(v.pipe(integerText, v.minValue(1)), 50),
};
const userQuery = v.object({ accountId: v.string() });
const pickerQuery = v.object({
  ...page,
  query: v.string(),
  showAvatar: v.optional(v.string(), 'false'),
  excludeAccountIds: v.optional(v.string(), ''),
});
const bulkQuery = v.object({
  ...page,
  maxResults: v.optional(v.pipe(integerText, v.minValue(1)), 10),
  accountId: v.pipe(
    v.union([v.string(), v.array(v.string())]),
    v.transform(value => [value].flat()),
  ),
});
const searchQuery = v.object({ ...page, query: v.optional(v.string(), '') });

/** Users: the caller, one, several, and search. */
export function userRoutes(app: FastifyInstance, { site }: Context): void {
  app.get('/myself', ({ caller }) => {
    requireScope(caller, 'READ', 'read:jira-user');
    if (caller.kind === 'anonymous') throw unauthorized();
    return caller.kind === 'app' ? appBean(site, caller.app) : personBean(site, caller.person);
  });

  app.get('/user', ({ caller, query }) => {
    requireScope(caller, 'READ', 'read:jira-user');
    requireSignedIn(caller);
    const person = personOf(parseAs(userQuery, query).accountId);
    if (!person) throw new RestError(404, 'Specified user does not exist or you do not have required permissions');
    return personBean(site, person);
  });

  app.get('/user/picker', ({ caller, query }) => {
    requireScope(caller, 'READ', 'read:jira-user');
    requireSignedIn(caller);
    const parsedQuery = parseAs(pickerQuery, query);
    const excluded = parsedQuery.excludeAccountIds.split(',');
    // Without the permission to browse users, a whole name only.
    const isWhole = ({ displayName }: Person) => displayName.toLowerCase() === parsedQuery.query.toLowerCase();
    const matchingPeople = matching(parsedQuery.query)
      .filter(person => holds(caller, 'USER_PICKER') || isWhole(person))
      .filter(person => !excluded.includes(person.accountId));
    const users = matchingPeople.slice(0, parsedQuery.maxResults).map(person => ({
      accountId: person.accountId,
      accountType: 'atlassian',
      html: highlighted(person.displayName, parsedQuery.query),
      displayName: person.displayName,
      ...(parsedQuery.showAvatar === 'true' && { avatarUrl: `${avatarOf(site, person)}?size=16` }),
    }));
    return {
      users,
      total: matchingPeople.length,
      header: `Showing ${users.length} of ${matchingPeople.length} matching users`,
    };
  });

  app.get('/user/bulk', request => {
    requireScope(request.caller, 'READ', 'read:jira-user');
    requireSignedIn(request.caller);
    const withoutAccount = () => badRequest('The accountId query parameter must be provided.');
    const { accountId, ...page } = parseAs(bulkQuery, request.query, withoutAccount);
    const requestedPeople = people.filter(person => accountId.includes(person.accountId));
    return pageBean(site, request.url, requestedPeople, page, person => personBean(site, person));
  });

  app.get('/user/search', ({ caller, query }) => {
    requireScope(caller, 'READ', 'read:jira-user');
    requireSignedIn(caller);
    const parsedQuery = parseAs(searchQuery, query);
    const matchingPeople = holds(caller, 'USER_PICKER') ? matching(parsedQuery.query) : [];
    return matchingPeople
      .slice(parsedQuery.startAt, parsedQuery.startAt + parsedQuery.maxResults)
      .map(person => personBean(site, person));
  });
}

/** Users of the site, without customers, whose name or e-mail address has a word with that prefix. */
const matching = (query: string): Person[] =>
  people.filter(
    person =>
      person.role !== 'customer' &&
      [...person.displayName.split(' '), person.displayName, person.email].some(word =>
        word.toLowerCase().startsWith(query.toLowerCase()),
      ),
  );

/** The name as HTML with the match in bold. */
function highlighted(name: string, query: string): string {
  const at = name.toLowerCase().indexOf(query.toLowerCase());
  if (query === '' || at < 0) return escapeHtml(name);
  const end = at + query.length;
  return `${escapeHtml(name.slice(0, at))}<strong>${escapeHtml(name.slice(at, end))}</strong>${escapeHtml(name.slice(end))}`;
}
