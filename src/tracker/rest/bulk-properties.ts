import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { TaskProgressObject } from 'jira.js/cloud';
import * as v from 'valibot';
import { notArray, parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import type { Caller } from '../permissions.ts';
import { requireScope } from '../session.ts';
import type { Issue } from '../site/model.ts';
import type { Task } from '../tasks.ts';
import { mayEdit, maySee, requireSignedIn } from './access.ts';
import { actorOf, deleteIssueProperty, putIssueProperty } from './changes.ts';
import { RestError } from './errors.ts';
import { requireStorable } from './properties.ts';

/** Applies to the issues of one update. */
const MAX_ENTITIES = 10_000;

const params = v.object({ key: v.string() });
const identified = v.object({ id: v.string() });
/** Numbers only, as documented. */
const entityIds = v.pipe(v.array(v.pipe(v.number(), v.safeInteger(), v.transform(String))), v.maxLength(MAX_ENTITIES));
const putBody = v.object({
  value: v.unknown(),
  filter: v.optional(
    v.pipe(
      notArray,
      v.object({
        entityIds: v.optional(entityIds),
        currentValue: v.optional(v.unknown()),
        hasProperty: v.optional(v.boolean()),
      }),
      v.check(
        ({ currentValue, hasProperty }) => currentValue === undefined || hasProperty !== false,
        'An issue without the property has no current value.',
      ),
    ),
    {},
  ),
});
const deleteBody = v.optional(
  v.pipe(notArray, v.object({ entityIds: v.optional(entityIds), currentValue: v.optional(v.unknown()) })),
  {},
);

/** Sets one property of many issues, if it has a certain value, asynchronously. */
export function bulkPropertyRoutes(app: FastifyInstance, context: Context): void {
  const { site, tasks } = context;

  /** The named issues that the caller may edit and whose property matches the filter. */
  const matching = (
    caller: Caller,
    key: string,
    { entityIds, currentValue, hasProperty }: v.InferOutput<typeof putBody>['filter'],
  ): Issue[] =>
    site.issues
      .list()
      .map(({ value }) => value)
      .filter(issue => {
        if (entityIds && !entityIds.includes(issue.id)) return false;
        const stored = site.properties.get(`issue/${issue.id}/${key}`);
        if (hasProperty !== undefined && hasProperty !== (stored !== undefined)) return false;
        if (currentValue !== undefined && !isDeepStrictEqual(stored, currentValue)) return false;
        return maySee(context, caller, issue) && mayEdit(context, caller, issue);
      });

  app.put('/issue/properties/:key', ({ caller, body, params: given }, reply) => {
    requireScope(caller, 'WRITE');
    requireSignedIn(caller);
    const { key } = parseAs(params, given);
    const { value, filter } = parseAs(putBody, body);
    requireStorable(key, value);
    return accepted(reply, `PUT ${key}`, caller, () =>
      changeAll(matching(caller, key, filter), issue => putIssueProperty(context, caller, issue, key, value)),
    );
  });

  app.delete('/issue/properties/:key', ({ caller, body, params: given }, reply) => {
    requireScope(caller, 'DELETE');
    requireSignedIn(caller);
    const { key } = parseAs(params, given);
    const filter = parseAs(deleteBody, body ?? undefined);
    return accepted(reply, `DELETE ${key}`, caller, () =>
      changeAll(matching(caller, key, { ...filter, hasProperty: true }), issue =>
        deleteIssueProperty(context, caller, issue, key),
      ),
    );
  });

  app.get('/task/:id', ({ caller, params: given }) => {
    requireSignedIn(caller);
    const { id } = parseAs(identified, given);
    const task = tasks.find(id);
    if (!task || task.submittedBy !== actorOf(caller)) {
      throw new RestError(404, `A task could not be found for the ID ${id}.`);
    }
    return taskBean(context, task);
  });

  function accepted(reply: FastifyReply, what: string, caller: Caller, work: () => Promise<void>): FastifyReply {
    const task = tasks.begin(what, actorOf(caller), work);
    return reply.code(303).header('location', taskUrl(context, task)).send(taskBean(context, task));
  }
}

/** Changes all at once: first in memory. */
const changeAll = async (issues: readonly Issue[], change: (issue: Issue) => Promise<void>): Promise<void> =>
  void (await Promise.all(issues.map(change)));

/** Tasks still name accounts by numbers. */
const accountNumber = (account: string): number =>
  [...account].reduce((number, letter) => (number * 31 + letter.charCodeAt(0)) % 1_000_000, 10_000);

const taskUrl = ({ site }: Context, { id }: Task): string => `${site.url}/rest/api/3/task/${id}`;

const taskBean = (context: Context, task: Task) => {
  const { id, description, status, submittedBy, submitted, started, finished } = task;
  const progress = status === 'COMPLETE' || status === 'FAILED' ? 100 : 0;
  return {
    ...{ self: taskUrl(context, task), id, description, status, progress, submitted, started, finished },
    // Of an account that has no number, as every one of today.
    submittedBy: accountNumber(submittedBy),
    lastUpdate: finished ?? started ?? submitted,
    elapsedRuntime: (finished ?? Date.now()) - (started ?? Date.now()),
  } satisfies TaskProgressObject;
};
