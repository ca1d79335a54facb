import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import { holds, knownPermissions } from '../permissions.ts';
import { requireScope } from '../session.ts';
import type { Person } from '../site/model.ts';
import { personOf } from '../site/people.ts';
import { projectOf } from '../site/site.ts';
import { visibleIssue } from './access.ts';
import { badRequest, invalidPayload } from './errors.ts';

const params = v.object({ issue: v.string() });
const flag = v.optional(v.boolean(), false);
const body = v.object({
  subject: v.optional(v.string()),
  textBody: v.optional(v.string(), ''),
  htmlBody: v.optional(v.string(), ''),
  to: v.optional(
    v.object({
      users: v.optional(v.array(v.object({ accountId: v.string() })), []),
      ...{ reporter: flag, assignee: flag },
    }),
  ),
  restrict: v.optional(v.object({ permissions: v.optional(v.array(v.object({ key: v.string() })), []) }), {}),
});

/** "Send notification for issue": recipients without a permission that it asks for get nothing. */
export function notifyRoutes(app: FastifyInstance, context: Context): void {
  const { site, apps, outbox } = context;

  app.post('/issue/:issue/notify', (request, reply) => {
    requireScope(request.caller, 'WRITE');
    const issue = visibleIssue(context, request.caller, parseAs(params, request.params).issue);
    const { subject, textBody, htmlBody, to, restrict } = parseAs(body, request.body, invalidPayload);
    const sitePermissions = knownPermissions(apps());
    const keys = (restrict.permissions ?? []).map(({ key }) => key);
    for (const key of keys) {
      if (!sitePermissions.some(permission => permission.key === key))
        throw badRequest(`The permission '${key}' does not exist.`);
    }
    const accounts = [
      ...(to?.users ?? []).map(({ accountId }) => accountId),
      ...(to?.reporter ? [issue.reporterId] : []),
      ...(to?.assignee ? [issue.assigneeId] : []),
    ];
    const recipients = [...new Set(accounts)].flatMap(account => {
      const person = personOf(account ?? '');
      if (!person && account !== null) throw badRequest(`The user '${account}' does not exist.`);
      return person ?? [];
    });
    if (recipients.length === 0) throw badRequest('No recipients were defined for notification.');
    const where = { issue, project: projectOf(site, issue) };
    const may = (person: Person) => keys.every(key => holds({ kind: 'person', person }, key, where));
    const names = (people: readonly Person[]) => people.map(({ displayName }) => displayName);
    outbox.add({
      kind: 'notification',
      issue: issue.key,
      to: names(recipients.filter(may)),
      withheld: names(recipients.filter(person => !may(person))),
      subject: subject ?? `(${issue.key}) ${issue.summary}`,
      text: textBody,
      html: htmlBody,
    });
    return reply.code(204).send();
  });
}
