import type { HostRequest, HostResponse } from '../../../../src/bridge/bridge.ts';
import { json } from '../../fakes.ts';
import type { FakeIssue } from '../../issue.tsx';

/** The answer of a fake server to an operation, by its name: the value of `data`, an error, or the status of a failure. */
export type Answers = Record<string, (variables: Record<string, unknown>) => unknown>;

export interface Sent {
  name: string;
  variables: Record<string, unknown>;
}

/** Adds answers to an issue's fake server. Returns its requests in order. */
export function answer(issue: FakeIssue, answers: Answers): Sent[] {
  const sent: Sent[] = [];
  const { backend } = issue.bridge;
  issue.bridge.backend = async (path: string, init: HostRequest = {}): Promise<HostResponse> => {
    const { operationName: name, variables } = init.json as { operationName: string; variables: Sent['variables'] };
    const known = answers[name];
    if (!known) return backend(path, init);
    sent.push({ name, variables });
    const data = await known(variables);
    if (typeof data === 'number') return { ...json({}, data), statusText: 'Reason Phrase' };
    if (data instanceof Error) return json({ errors: [{ message: data.message }] });
    return json({ data });
  };
  return sent;
}

export const refusal = (code: string, field: string | null, message: string) => [{ code, field, message }];

export const template = (id: string, name: string, values: object = {}) => ({
  id,
  projectId: '10',
  name,
  text: '- a\n- b\n',
  itemCount: 2,
  isDefault: false,
  isGettingStarted: false,
  updated: '2026-11-01T10:00:00.000Z',
  ...values,
});

export const page = (
  templates: readonly object[],
  values: { total?: number; globalRoom?: object; projectRoom?: object | null } = {},
) => ({
  templates: {
    templates,
    total: templates.length,
    globalRoom: { count: 0, most: null },
    projectRoom: { count: 0, most: null },
    ...values,
  },
});
