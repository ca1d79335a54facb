import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import type { Source } from '../wire/quota.ts';

/** The cost of a REST API call, in points. */
export interface Figure {
  source: Source;
  /** Of an answered call, by the body of its answer. */
  points(answer: unknown): number;
}

/** Base cost of every call; a failed call costs no more. */
export const BASE = 1;

/** Points of each object in an answer, by the vendor's page "Rate limiting". */
const weights = {
  /** Issues, projects, attachments. */
  core: 1,
  /** Users, groups, roles, permissions. */
  identity: 2,
  /** Everything that the page does not name. */
  other: 1,
};

type Count = (answer: unknown) => number;

const one: Count = () => 1;
const array = v.array(v.unknown());
const object = v.record(v.string(), v.unknown());
/** Of an answer that is a list. */
const all: Count = answer => parseAs(array, answer).length;
/** Of an answer with a list of that name. */
const listed =
  (name: string): Count =>
  answer =>
    parseAs(array, parseAs(object, answer)[name]).length;
const sections = v.object({ sections: v.array(v.object({ issues: array })) });
const granted = v.object({ permissions: object });

const read = (kind: keyof typeof weights, count = one, source: Source = 'documented'): Figure => ({
  source,
  points: answer => BASE + weights[kind] * count(answer),
});
const flat = (points: number, source: Source): Figure => ({ source, points: () => points });
const write = flat(BASE, 'documented');

/** Properties are read one by one, as uncategorized objects. */
const properties = (path: string): Record<string, Figure> => ({
  [`GET ${path}`]: read('other', listed('keys')),
  [`GET ${path}/:key`]: read('other'),
  [`PUT ${path}/:key`]: write,
  [`DELETE ${path}/:key`]: write,
});

/**
 * By method and path, without `/rest` and the API's version. Documented: the vendor's page "Rate limiting". Reported:
 * measured by partners (developer community, threads 97828 and 99654), who also saw lists of uncategorized objects cost
 * 1 in all (500 versions); the page's rule stands here until ours are measured. Estimated: neither says.
 */
const figures: Record<string, Figure> = {
  'GET /issue/:issue': read('core'),
  'POST /issue': write,
  'PUT /issue/:issue': write,
  'DELETE /issue/:issue': write,
  'POST /issue/:issue/notify': write,
  'GET /search/jql': read('core', listed('issues'), 'reported'),
  'POST /issue/bulkfetch': read('core', listed('issues'), 'reported'),
  'GET /issue/picker': read('core', answer =>
    parseAs(sections, answer).sections.reduce((sum, { issues }) => sum + issues.length, 0),
  ),
  // A number, no objects.
  'POST /search/approximate-count': flat(BASE, 'estimated'),
  // The issues with changes, not each change.
  'GET /issue/:issue/changelog': read('core', one, 'estimated'),
  'POST /changelog/bulkfetch': read('core', listed('issueChangeLogs'), 'estimated'),
  'GET /issue/:issue/transitions': read('other', listed('transitions')),
  'POST /issue/:issue/transitions': write,
  'POST /issueLink': write,
  'DELETE /issueLink/:link': write,
  'PUT /issue/properties/:key': write,
  'DELETE /issue/properties/:key': write,
  'GET /task/:id': read('other'),
  'POST /forge/panel/action/bulk/async': write,

  'GET /workflow/rule/config': read('core', listed('values')),
  'GET /workflowscheme/project': read('core', listed('values')),
  'GET /project/search': read('core', listed('values'), 'reported'),
  'GET /project/:project': read('core'),
  'GET /project/:project/statuses': read('other', all),
  'GET /field': read('other', all),
  'GET /issuetype': read('other', all),
  'GET /status': read('other', all),
  'GET /issueLinkType': read('other', listed('issueLinkTypes')),

  'GET /myself': read('identity'),
  'GET /user': read('identity'),
  'GET /user/bulk': read('identity', listed('values')),
  'GET /user/picker': read('identity', listed('users')),
  'GET /user/search': read('identity', all),
  'GET /user/permission/search': read('identity', all),
  'GET /mypermissions': read('identity', answer => Object.keys(parseAs(granted, answer).permissions).length),
  'GET /permissions': read('identity', answer => Object.keys(parseAs(granted, answer).permissions).length),
  'POST /permissions/check': flat(3, 'estimated'),
  // Measured with 1,000 projects in the answer.
  'POST /permissions/project': flat(BASE, 'reported'),

  'POST /atlassian-connect/latest/report-accounts': write,
  'GET /atlassian-connect/1/migration/:connectKey/:field/task': read('other'),
  'POST /atlassian-connect/1/migration/:connectKey/:field/task': write,

  ...properties('/issue/:owner/properties'),
  ...properties('/project/:owner/properties'),
  ...properties('/dashboard/:dashboard/items/:owner/properties'),
  ...properties('/user/properties'),
  ...properties('/atlassian-connect/1/addons/:owner/properties'),
};

/** A call's name in the ledger: `GET /issue/:issue` of a route's `/rest/api/3/issue/:issue`. HEAD counts as GET. */
export const callName = (method: string, route: string): string =>
  `${method === 'HEAD' ? 'GET' : method} ${route.replace(/^\/rest(\/api\/[^/]+)?/, '')}`;

export const figureOf = (call: string): Figure | undefined => figures[call];
