import type { FakeTracker } from './tracker.ts';

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

/** Id of a project that no account of the tests administers. */
export const OTHER_PROJECT = '10001';

/** Answers for the projects of a fake tracker and their properties, one per page; `undefined` for other calls. */
export function answerProjects(
  { projects }: FakeTracker,
  { method, path, body }: FakeTracker['calls'][number],
  query: URLSearchParams,
): Response | undefined {
  if (path === '/rest/api/2/project/search') {
    const start = Number(query.get('startAt'));
    const page = [...projects].slice(start, start + 1);
    return json(200, {
      isLast: start + page.length >= projects.size,
      values: page.map(([id, properties]) => ({ id, key: `P${id}`, name: `Project ${id}`, properties })),
    });
  }
  const [, id = '', key] = /^\/rest\/api\/2\/project\/P?(\d+)(?:\/properties\/(.+))?$/.exec(path) ?? [];
  const properties = projects.get(id);
  if (!id) return undefined;
  if (!properties) return json(404, { errorMessages: ['No such project.'] });
  if (method === 'PUT' && key) {
    properties[decodeURIComponent(key)] = structuredClone(body);
    return json(200, {});
  }
  return json(200, { id, key: `P${id}`, properties });
}
