import { Validator } from '@seriousme/openapi-schema-validator';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../../../src/domain/api/operations.ts';
import { changeWords } from '../../../../src/domain/api/vocabulary.ts';
import { callApi, createToken } from '../../support/api.ts';
import { appOf, BASE_URL, startApp } from '../../support/app.ts';
import { onStore } from '../../support/stores.ts';

const documentShape = v.object({
  openapi: v.literal('3.1.0'),
  servers: v.array(v.object({ url: v.string() })),
  paths: v.record(v.string(), v.record(v.string(), v.looseObject({ operationId: v.string() }))),
  components: v.object({ schemas: v.record(v.string(), v.unknown()) }),
});

/** The routes below a path, from the tree that the framework prints; without those for any path. */
function routesUnder(tree: string, base: string): string[] {
  const parts: string[] = [];
  const found: string[] = [];
  for (const line of tree.split('\n')) {
    const [, indent = '', part = '', methods] = /^([│├└─ ]*)(\S*?)(?: \(([^)]*)\))?$/.exec(line) ?? [];
    parts.splice(indent.length / 4 - 1, Number.POSITIVE_INFINITY, part);
    const path = parts.join('');
    const isOperation = path.startsWith(`${base}/`) && methods !== undefined && !methods.includes('TRACE');
    for (const method of isOperation ? methods.split(', ') : []) {
      if (method !== 'HEAD') found.push(`${method} ${path.slice(base.length).replaceAll(/:(\w+)/g, '{$1}')}`);
    }
  }
  return found;
}

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));

  const read = async () => {
    const answer = await callApi(it, undefined, '/openapi.json');
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
    return answer.json();
  };

  test('the document is valid OpenAPI 3.1', async () => {
    const validated = await new Validator().validate(await read());
    expect(validated.errors ?? []).toEqual([]);
    expect(validated.valid).toBe(true);
  });

  test('every route of the API is in the document, and every documented one exists', async () => {
    const { paths, servers } = v.parse(documentShape, await read());
    expect(servers).toEqual([{ url: `${BASE_URL}/api/v1` }]);
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    );
    const registered = routesUnder(it.app.printRoutes({ commonPrefix: false }), '/api/v1');
    expect(new Set(registered)).toEqual(new Set(documented));
    expect(documented).toHaveLength(Object.keys(operations).length);
    const { secret } = await createToken(use().store, it);
    for (const name of documented) {
      const [method = '', path = ''] = name.split(' ');
      const answer = await callApi(it, secret, path.replaceAll(/\{\w+\}/g, '1'), method === 'POST' ? { body: {} } : {});
      expect(answer.text, name).not.toContain('There is no such operation');
    }
  });

  test('every kind of change is described, by the schema that the server parses', async () => {
    const { components } = v.parse(documentShape, await read());
    const change = JSON.stringify(components.schemas.Change);
    for (const [kind, words] of Object.entries(changeWords)) {
      expect(change).toContain(JSON.stringify(kind));
      expect(change).toContain(JSON.stringify(words));
    }
  });

  test('any other path is no operation', async () => {
    for (const path of ['', '/', '/nothing', '/issues', '/issues/1', '/checklists/1']) {
      const answer = await callApi(it, undefined, path);
      expect(answer.json(), path).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
    const answer = await it.app.inject({ method: 'DELETE', url: '/api/v1/checklists' });
    expect(answer.json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });
});
