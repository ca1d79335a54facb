import { expect, test } from 'vitest';
import { ApiError, createApi } from '../../src/cli/mcp/api.ts';
import { createTools, ToolRefusal } from '../../src/cli/mcp/tools.ts';
import { run } from '../../src/cli/run.ts';
import { losses } from '../../src/domain/messages.ts';
import { environment } from './environment.ts';

/** The server of the Model Context Protocol; test/server/http/rest/mcp.test.ts drives it on a server. */

const start = (variables: Record<string, string>) => run(['mcp'], environment({}, '', variables));
const TOKEN = 'scl_secret';

test.each([
  ['no address', { SMART_CHECKLIST_TOKEN: TOKEN }, 'SMART_CHECKLIST_URL is to be an https address.'],
  ['no URL', { SMART_CHECKLIST_URL: 'checklists', SMART_CHECKLIST_TOKEN: TOKEN }, 'https'],
  ['a file', { SMART_CHECKLIST_URL: 'file:///etc', SMART_CHECKLIST_TOKEN: TOKEN }, 'https'],
  [
    'an address without TLS',
    { SMART_CHECKLIST_URL: 'http://checklists.example', SMART_CHECKLIST_TOKEN: TOKEN },
    'https',
  ],
  ['no token', { SMART_CHECKLIST_URL: 'https://checklists.example' }, 'SMART_CHECKLIST_TOKEN is missing.'],
  ['an empty token', { SMART_CHECKLIST_URL: 'http://localhost:3000', SMART_CHECKLIST_TOKEN: ' ' }, 'missing'],
])('it does not start with %s', async (_what, variables, message) => {
  const { output, errors, code } = await start(variables);
  expect([output, code]).toEqual(['', 2]);
  expect(errors).toContain(message);
  expect(errors).not.toContain(TOKEN);
});

test.each([
  ['is empty', '', 'There is nothing in this text that fits into a checklist.'],
  ['is binary', '\u0000\u0001\u0002\uFFFDa'.repeat(20), "This isn't text: it looks like the content"],
  ['is too long', 'a'.repeat(500_001), 'At most 500,000 are read.'],
])('convert_to_checklist refuses a text that %s, with the reason', async (_, text, reason) => {
  const tools = createTools(createApi({ url: 'https://checklists.example', token: TOKEN }), TOKEN);
  const answer = tools.convert_to_checklist?.run({ text });
  await expect(answer).rejects.toThrow(ToolRefusal);
  await expect(answer).rejects.toThrow(reason);
});

test('convert_to_checklist reads a text with half an emoji and NUL, and says what it took out', async () => {
  const tools = createTools(createApi({ url: 'https://checklists.example', token: TOKEN }), TOKEN);
  expect(await tools.convert_to_checklist?.run({ text: '- [x] a\uD83D\0' })).toEqual({
    text: '+ a\uFFFD',
    notation: 'github',
    lost: [
      { what: losses.nul, line: 1, text: '' },
      { what: losses.half, line: 1, text: '' },
    ],
  });
});

/** The error of a call that is answered so. */
async function errorOf(answer: () => Promise<Response>): Promise<ApiError> {
  const api = createApi({ url: 'https://checklists.example', token: TOKEN }, answer);
  try {
    await api('readChecklist', { params: { issue: 'WEB-1' } });
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('It was answered.');
}

test('an answer that is none of the API is an error without the token', async () => {
  const answers: [() => Promise<Response>, string][] = [
    [() => Promise.reject(new TypeError(`fetch failed ${TOKEN}`)), 'checklists.example does not answer.'],
    [async () => new Response('<html>', { status: 502 }), 'The server answered 502.'],
    [async () => new Response('{', { status: 200 }), 'something else'],
    [async () => Response.json({ text: '- a' }), 'something else'],
  ];
  for (const [answer, message] of answers) {
    const error = await errorOf(answer);
    expect(error.message).toContain(message);
    expect(error.message).not.toContain(TOKEN);
  }
});

test('a problem keeps its code, and how long to wait', async () => {
  const problem = { type: 'urn:x', title: 'Too Many Requests', status: 429, detail: 'Wait.', code: 'RATE_LIMITED' };
  const error = await errorOf(async () => Response.json(problem, { status: 429, headers: { 'retry-after': '7' } }));
  expect(error).toMatchObject({ message: 'Wait.', retryAfter: 7, problem: { code: 'RATE_LIMITED' } });
});

test('an id cannot lead to another path', async () => {
  const asked: string[] = [];
  const api = createApi({ url: 'https://checklists.example', token: TOKEN }, async input => {
    asked.push(String(input));
    return Response.json({});
  });
  await api('readChecklist', { params: { issue: '../../x?y' } }).catch(() => {});
  expect(asked).toEqual(['https://checklists.example/api/v1/issues/..%2F..%2Fx%3Fy/checklist']);
});
