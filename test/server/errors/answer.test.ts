import { errorCodes } from 'fastify';
import { expect, test } from 'vitest';
import { api, failures, refusals, shell, storage, unreachable } from '../../../src/domain/messages.ts';
import { answerOf, isFailure } from '../../../src/server/errors/answer.ts';
import { Refused, RefusedText } from '../../../src/server/errors/refused.ts';
import { BadInput, TooManyRequests, Unauthorized } from '../../../src/server/errors/request.ts';
import { TrackerDeferred, TrackerRefused, TrackerUnavailable } from '../../../src/server/errors/tracker.ts';
import { StoreUnavailable } from '../../../src/server/errors/unavailable.ts';
import { ChangedMeanwhile, EditRefused } from '../../../src/text/errors.ts';

const finding = { code: 'UNKNOWN_STATUS', message: 'No.', row: 0, text: 'a', line: 1, column: 1 };
const trackerAnswer = (status: number) => new TrackerRefused('readIssue', { status, body: {} });

test.each<[string, unknown, object]>([
  ['no token', new Unauthorized('expired'), { status: 401, code: 'UNAUTHORIZED', message: shell.unauthorized }],
  ['too many', new TooManyRequests(7), { status: 429, code: 'RATE_LIMITED', message: api.rateLimited, retryAfter: 7 }],
  ['input', new BadInput('issues: not a list'), { status: 400, code: 'UNREADABLE', message: 'issues: not a list' }],
  ['permission', new Refused('FORBIDDEN', 'No.'), { status: 403, code: 'FORBIDDEN', message: 'No.' }],
  ['field', new Refused('TOO_SHORT', 'No.', 'name'), { status: 422, code: 'TOO_SHORT', message: 'No.', field: 'name' }],
  [
    'findings',
    new RefusedText('No.', [finding]),
    { status: 422, code: 'DIAGNOSTICS', message: 'No.', field: 'change', findings: [finding] },
  ],
  ['row', new ChangedMeanwhile(), { status: 409, code: 'CHANGED_MEANWHILE', field: 'target' }],
  [
    'edit',
    new EditRefused('INVALID_DAY', 'No.'),
    { status: 422, code: 'INVALID_DAY', message: 'No.', field: 'dueDate' },
  ],
  [
    'tracker away',
    new TrackerUnavailable('timeout'),
    { status: 503, code: 'TRACKER_UNAVAILABLE', message: storage.trackerUnavailable, retryAfter: 30 },
  ],
  [
    'tracker deferred',
    new TrackerDeferred('points', 1_500),
    { status: 503, code: 'TRACKER_UNAVAILABLE', retryAfter: 2 },
  ],
  ['tracker 404', trackerAnswer(404), { status: 404, code: 'NOT_FOUND', message: storage.issueNotFound }],
  ['tracker 403', trackerAnswer(403), { status: 403, code: 'FORBIDDEN', message: refusals.permission }],
  ['tracker 400', trackerAnswer(400), { status: 502, code: 'TRACKER_REFUSED' }],
  [
    'database away',
    new StoreUnavailable(new Error('gone')),
    { status: 503, code: 'UNAVAILABLE', message: unreachable.server, retryAfter: 30 },
  ],
  ['large body', new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), { status: 413, code: 'TOO_LARGE' }],
  ['body of another type', new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE('x'), { status: 415, code: 'UNREADABLE' }],
])('%s has one answer', (_name, error, answer) => {
  expect(answerOf(error)).toMatchObject(answer);
  expect(isFailure(error)).toBe(false);
});

test.each([new Error('secret'), new TypeError('secret'), 'secret', undefined])('a failure tells nothing: %s', error => {
  expect(answerOf(error)).toEqual({ status: 500, code: 'UNKNOWN', message: failures.unknown });
  expect(isFailure(error)).toBe(true);
});
