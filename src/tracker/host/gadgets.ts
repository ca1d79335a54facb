import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { parseAs } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import type { Caller } from '../permissions.ts';
import { ownGadget } from '../rest/gadgets.ts';
import { visitorOf } from '../session.ts';
import { type HostGadget, newGadget } from '../wire/gadgets.ts';

const edit = v.object({ config: v.unknown() });
const identified = v.object({ id: v.string() });

/** The gadgets of the visitor's dashboard; shapes in `wire/gadgets.ts`. */
export const gadgetRoutes: FastifyPluginCallback<{ context: Context }> = (app, { context }, done) => {
  const { site } = context;
  const gadgetOf = (request: FastifyRequest, reply: FastifyReply) => {
    const caller: Caller = { kind: 'person', person: visitorOf(request, reply) };
    return ownGadget(context, caller, parseAs(identified, request.params).id);
  };

  app.get('/', (request, reply): HostGadget[] => {
    const { accountId } = visitorOf(request, reply);
    return site.gadgets
      .list()
      .flatMap(({ value: { owner, config: _, ...gadget } }) => (owner === accountId ? gadget : []));
  });

  app.post('/', async (request, reply) => {
    const { accountId: owner } = visitorOf(request, reply);
    const id = String(Math.max(10_000, ...site.gadgets.list().map(({ id }) => Number(id))) + 1);
    await site.gadgets.put(id, { id, owner, ...parseAs(newGadget, request.body) });
    return reply.code(201).send({ id });
  });

  app.put('/:id', async (request, reply) => {
    const gadget = gadgetOf(request, reply);
    await site.gadgets.put(gadget.id, { ...gadget, config: parseAs(edit, request.body).config });
    return reply.code(204).send();
  });

  app.delete('/:id', async (request, reply) => {
    await site.gadgets.delete(gadgetOf(request, reply).id);
    return reply.code(204).send();
  });
  done();
};
