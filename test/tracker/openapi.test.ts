import { expect, test } from 'vitest';
import { knownDeviations } from '../run/known-deviations.ts';
import { createValidator } from '../run/openapi.ts';

/** How recorded calls are compared with the vendor's document (`test/run/validate-calls.ts`). */

const document = {
  paths: {
    '/rest/api/3/issue/{id}': {
      put: {
        parameters: [{ name: 'notifyUsers', in: 'query' }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Edit' } } } },
        responses: { 204: { content: { 'application/json': { schema: {} } } }, 400: {} },
      },
      get: {
        responses: {
          200: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { id: { type: 'string' }, key: { type: 'string', nullable: true } },
                },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Edit: { type: 'object', properties: { ids: { type: 'array', items: { type: 'integer', format: 'int64' } } } },
    },
  },
};

const call = { method: 'PUT', url: '/rest/api/2/issue/7', status: 204, answer: '', by: 'addon' } as const;
const read = { ...call, method: 'GET', status: 200 } as const;

test.each([
  ['a call as documented', { ...call, request: { ids: [1] } }, []],
  ['another version of the interface', { ...call, url: '/rest/api/3/issue/7?notifyUsers=false' }, []],
  [
    'ids as text',
    { ...call, request: { ids: ['1'] } },
    ['PUT /rest/api/3/issue/{id}, request: /ids/N must be integer'],
  ],
  ['a wrong request that is refused', { ...call, status: 400, request: { ids: ['1'] } }, []],
  [
    'an unknown parameter',
    { ...call, url: '/rest/api/2/issue/7?quiet=1' },
    ['PUT /rest/api/3/issue/{id}: unknown parameter quiet'],
  ],
  ['an unknown call', { ...call, url: '/rest/api/2/moon/7' }, ['no such call: PUT /rest/api/N/moon/N']],
  ['an unknown status', { ...call, status: 409 }, ['PUT /rest/api/3/issue/{id}: status 409 is not documented']],
  ['null where it is allowed', { ...read, answer: '{"id":"7","key":null}' }, []],
  [
    'a number in place of text',
    { ...read, answer: '{"id":7}' },
    ['GET /rest/api/3/issue/{id} 200: /id must be string'],
  ],
  ['no answer', read, ['GET /rest/api/3/issue/{id} 200: no answer, one is documented']],
])('%s', (_, made, expected) => {
  const { check, deviations } = createValidator(document);
  check(made);
  expect([...deviations.keys()]).toEqual(expected);
});

test('each known deviation has a reason', () => {
  expect(knownDeviations.filter(({ reason }) => reason.length < 20)).toEqual([]);
});
