import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { Context } from '../context.ts';
import { requireScope } from '../session.ts';
import { accountReport, answerReport } from '../site/account-reports.ts';
import { appsOnly, badRequest } from './errors.ts';

/** A site without the platform of Forge has no settings: all its accounts are as they were. */
const unchanged = { closedAccounts: [], updatedAccounts: [], reportDays: 7 };

/** The reports of Connect's add-ons, at the site. Apps on Forge report at the gateway. */
export function accountReportRoute(app: FastifyInstance, { forge }: Context): void {
  app.post('/atlassian-connect/latest/report-accounts', (request, reply) => {
    if (request.caller.kind !== 'app') throw appsOnly();
    requireScope(request.caller, 'READ');
    const report = v.safeParse(accountReport, request.body);
    if (!report.success) throw badRequest(v.summarize(report.issues));
    const settings = forge?.platform.settings ?? unchanged;
    reply.header('cycle-period', String(settings.reportDays));
    return answerReport(report.output, settings) ?? reply.code(204).send();
  });
}
