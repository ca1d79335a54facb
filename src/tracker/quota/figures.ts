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
export const BASE_POINTS = 1;

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
const wholeList: Count = answer => parseAs(array, answer).length;
/** Of an answer with a list of that name. */
const listed =
  (name: string): Count =>
  answer =>
    parseAs(array, parseAs(object, answer)[name]).length;
const sections = v.object({ sections: v.array(v.object({ issues: array })) });
const granted = v.object({ permissions: object });

const readFigure = (kind: keyof typeof weights, count = one, source: Source = 'documented'): Figure => ({
  source,
  points: answer => BASE_POINTS + weights[kind] * count(answer),
});
const flat = (points: number, source: Source): Figure => ({ source, points: () => points });
const writeFigure = flat(BASE_POINTS, 'documented');

/** Properties are read one by one, as uncategorized objects. */
const properties = (path: string): Record<string, Figure> => ({
  [`GET ${path}`]: readFigure('other', listed('keys')),
  [`GET ${path}/:key`]: readFigure('other'),
  [`PUT ${path}/:key`]: writeFigure,
  [`DELETE ${path}/:key`]: writeFigure,
});

/**
 * By method and path, without `/rest` and the API's version. Documented: the vendor's page "Rate limiting". Reported:
 * measured by partners (developer community, threads 97828 and 99654), who also saw lists of uncategorized objects cost
 * 1 in all (500 versions); the page's rule stands here until ours are measured. Estimated: neither says.
 */
const figures: Record<string, Figure> = {
  'GET /issue/:issue': readFigure('core'),
  'POST /issue': writeFigure,
  'PUT /issue/:issue': writeFigure,
  'DELETE /issue/:issue': writeFigure,
  'POST /issue/:issue/notify': writeFigure,
  'GET /search/jql': readFigure('core', listed('issues'), 'reported'),
  'POST /issue/bulkfetch': readFigure('core', listed('issues'), 'reported'),
  'GET /issue/picker': readFigure('core', answer =>
    parseAs(sections, answer).sections.reduce((sum, { issues }) => sum + issues.length, 0),
  ),
  // A number, no objects.
  'POST /search/approximate-count': flat(BASE_POINTS, 'estimated'),
  // The issues with changes, not each change.
  'GET /issue/:issue/changelog': readFigure('core', one, 'estimated'),
  'POST /changelog/bulkfetch': readFigure('core', listed('issueChangeLogs'), 'estimated'),
  'GET /issue/:issue/transitions': readFigure('other', listed('transitions')),
  'POST /issue/:issue/transitions': writeFigure,
  'POST /issueLink': writeFigure,
  'DELETE /issueLink/:link': writeFigure,
  'PUT /issue/properties/:key': writeFigure,
  'DELETE /issue/properties/:key': writeFigure,
  'GET /task/:id': readFigure('other'),
  'POST /forge/panel/action/bulk/async': writeFigure,

  'GET /workflow/rule/config': readFigure('core', listed('values')),
  'GET /workflowscheme/project': readFigure('core', listed('values')),
  'GET /project/search': readFigure('core', listed('values'), 'reported'),
  'GET /project/:project': readFigure('core'),
  'GET /project/:project/statuses': readFigure('other', wholeList),
  'GET /field': readFigure('other', wholeList),
  'GET /issuetype': readFigure('other', wholeList),
  'GET /status': readFigure('other', wholeList),
  'GET /issueLinkType': readFigure('other', listed('issueLinkTypes')),

  'GET /myself': readFigure('identity'),
  'GET /user': readFigure('identity'),
  'GET /user/bulk': readFigure('identity', listed('values')),
  'GET /user/picker': readFigure('identity', listed('users')),
  'GET /user/search': readFigure('identity', wholeList),
  'GET /user/permission/search': readFigure('identity', wholeList),
  'GET /mypermissions': readFigure('identity', answer => Object.keys(parseAs(granted, answer).permissions).length),
  'GET /permissions': readFigure('identity', answer => Object.keys(parseAs(granted, answer).permissions).length),
  'POST /permissions/check': flat(3, 'estimated'),
  // Measured with 1,000 projects in the answer.
  'POST /permissions/project': flat(BASE_POINTS, 'reported'),

  'POST /atlassian-connect/latest/report-accounts': writeFigure,
  'GET /atlassian-connect/1/migration/:connectKey/:field/task': readFigure('other'),
  'POST /atlassian-connect/1/migration/:connectKey/:field/task': writeFigure,

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
