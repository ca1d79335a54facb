import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify';
import { parseAs } from '../../domain/shape.ts';
import { ask } from '../connect/http.ts';
import type { Outbox } from '../outbox.ts';
import { badRequest } from '../rest/errors.ts';
import { automationShape, type HostAutomationAnswer, outboxEdit } from '../wire/outbox.ts';

const hmac = (secret: string, time: string, body: string) =>
  createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');

/** The outbox, and web requests of the automation. */
export function outboxRoutes(app: FastifyInstance, outbox: Outbox, addonUrls: readonly string[]): void {
  app.get('/outbox', () => outbox.view());
  app.put('/outbox', (request, reply) => {
    Object.assign(outbox.settings, parseAs(outboxEdit, request.body));
    return reply.code(204).send();
  });
  app.delete('/outbox', (_, reply) => {
    outbox.clear();
    return reply.code(204).send();
  });

  app.post('/automation', async (request): Promise<HostAutomationAnswer> => {
    const { address, secret, signed, body } = parseAs(automationShape, request.body);
    if (!addonUrls.some(url => address.startsWith(`${url}/`))) {
      throw badRequest(`Enter an address that starts with ${addonUrls.join(' or ')}.`);
    }
    const time = String(Math.floor(Date.now() / 1000));
    const proof = signed
      ? { 'smart-checklist-signature': `t=${time},v1=${hmac(secret, time, body)}` }
      : { authorization: `Bearer ${secret}` };
    const { status, text } = await ask(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...proof },
      body,
    });
    return { status, body: text };
  });
}

const headerOf = (request: FastifyRequest, name: string): string => [request.headers[name]].flat()[0] ?? '';

/** Whether the signature is that of the body; a real receiver would refuse an old one, too. */
function isSigned(signature: string, secret: string, body: string): boolean {
  const [, time = '', mac = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  return mac !== '' && timingSafeEqual(Buffer.from(mac), Buffer.from(hmac(secret, time, body)));
}

/** `POST /receiver`: a receiver of webhooks, which puts them into the outbox. */
export const receiverRoutes: FastifyPluginCallback<{ outbox: Outbox }> = (app, { outbox }, done) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
  app.post<{ Body: string | undefined }>('/receiver', (request, reply) => {
    const { secret, status } = outbox.settings;
    const body = request.body ?? '';
    const signature = headerOf(request, 'smart-checklist-signature');
    outbox.add({
      kind: 'webhook',
      event: headerOf(request, 'smart-checklist-event'),
      delivery: headerOf(request, 'smart-checklist-delivery'),
      signature: secret === '' ? 'unchecked' : isSigned(signature, secret, body) ? 'valid' : 'wrong',
      token: headerOf(request, 'x-automation-webhook-token'),
      body,
    });
    return reply.code(status).send('');
  });
  done();
};
