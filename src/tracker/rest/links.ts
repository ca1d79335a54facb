import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import { requireScope } from '../session.ts';
import { linkTypes } from '../site/catalogue.ts';
import { linkIssues, unlinkIssues } from '../site/site.ts';
import { editableIssue, visibleIssue } from './access.ts';
import { linkId } from './beans.ts';
import { reference } from './edit.ts';
import { badRequest, invalidPayload, RestError } from './errors.ts';

/** As the tracker has it: the inward issue is where the link begins, “blocks” goes from it to the outward one. */
const linkBody = v.object({ type: reference, inwardIssue: reference, outwardIssue: reference });
const params = v.object({ link: v.string() });

const nameOf = ({ id, key }: v.InferOutput<typeof reference>): string => id ?? key ?? '';

/** Links between issues: their types, making one, taking one away. */
export function linkRoutes(app: FastifyInstance, context: Context): void {
  const { site } = context;

  app.get('/issueLinkType', request => {
    requireScope(request.caller, 'READ');
    return { issueLinkTypes: linkTypes };
  });

  app.post('/issueLink', async ({ caller, body }, reply) => {
    requireScope(caller, 'WRITE');
    const { type, inwardIssue, outwardIssue } = parseAs(linkBody, body, invalidPayload);
    const linkType = linkTypes.find(({ id, name }) => id === type.id || name === type.name);
    if (!linkType) throw new RestError(404, `No issue link type with name '${type.name ?? type.id ?? ''}' found.`);
    const from = editableIssue(context, caller, nameOf(inwardIssue));
    const to = visibleIssue(context, caller, nameOf(outwardIssue));
    if (from.id === to.id) throw badRequest('You cannot link an issue to itself.');
    await linkIssues(site, from.id, to.id, linkType.id);
    return reply.code(201).send();
  });

  app.delete('/issueLink/:link', async ({ caller, params: given }, reply) => {
    requireScope(caller, 'DELETE');
    const { link } = parseAs(params, given);
    const [one = '', other = ''] = link.split('-');
    const issue = editableIssue(context, caller, one);
    const linked = issue.links.filter(each => linkId(issue.id, each.issueId, each.typeId) === link);
    if (linked.length === 0) throw new RestError(404, `No issue link with id '${link}' exists.`);
    for (const { typeId } of linked) await unlinkIssues(site, issue.id, other, typeId);
    return reply.code(204).send();
  });
}
