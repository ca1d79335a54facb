import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { type ReactNode, StrictMode } from 'react';
import type { HostBridge, HostContext, HostFlag, HostRequest, HostResponse, Json } from '../../src/bridge/bridge.ts';
import { noBridge } from '../../src/bridge/none.ts';
import { createGraphql } from '../../src/client/graphql.ts';
import { type ChecklistChange, isEdit } from '../../src/domain/change.ts';
import { features } from '../../src/domain/constants.ts';
import { refusals } from '../../src/domain/messages.ts';
import { noPermissions, type PermissionFlags } from '../../src/domain/permissions.ts';
import type { RegistryStatus } from '../../src/domain/statuses.ts';
import { storageKey } from '../../src/domain/storage.ts';
import { demoTemplate } from '../../src/domain/templates.ts';
import type { User } from '../../src/domain/user.ts';
import { ChangedMeanwhile } from '../../src/text/errors.ts';
import { merge } from '../../src/text/merge.ts';
import { performEdit } from '../../src/text/perform.ts';
import { readChecklist } from '../../src/text/read.ts';
import { createNavigation } from '../../src/ui/shell/navigation/navigation.ts';
import { createQueryClient } from '../../src/ui/shell/services/query-client.tsx';
import {
  createOnce,
  lazyQueries,
  type Once,
  type Services,
  ServicesProvider,
  UserProvider,
} from '../../src/ui/shell/services/services.ts';
import { FeatureFlagsProvider } from '../../src/ui/shell/session-gate.tsx';
import { json, payload, sessions } from './fakes.ts';

const allFeatures = Object.fromEntries(features.map(name => [name, true]));

/** Values made once per page live as long as its bridge, even if a test renders several times. */
const onces = new WeakMap<HostBridge, Once>();

function onceOf(bridge: HostBridge): Once {
  const once = onces.get(bridge) ?? createOnce(bridge);
  onces.set(bridge, once);
  return once;
}

/** The part of a change's request that the fake server reads. */
interface Input {
  base: { seq: number };
  change: ChecklistChange;
}

/** An issue whose checklist a fake tracker and a fake server hold; the test controls when they answer. */
export interface FakeIssue {
  bridge: HostBridge;
  /** The server's checklist, and the tracker's. */
  stored: { seq: number; text: string };
  /** Why a copy in the tracker is not written yet. */
  copyNotice: string | null;
  /** Whether the session says that the app's license is active. */
  licensed: boolean;
  /** Stores a text as another user. */
  write(text: string): void;
  /** Flags shown to the user. */
  flags: HostFlag[];
  /** Names of the server's operations, in the order of the requests. */
  operations: string[];
  /** Inputs that jobs were started with. */
  jobInputs: object[];
  navigations: string[];
  opened: Json[];
  closed: (Json | undefined)[];
  /** Makes the next mutations fail with this error, or with a server failure. */
  refuse: { code: string; message: string } | 'broken' | undefined;
  /** The server's message when a job is started, by its mutation; `undefined`: permission denied. */
  jobs: Partial<Record<string, string | undefined>>;
  /** Answers to questions about the started job; none: the start names no job. */
  job: { state: string; done: number; failed: number; log: { message: string }[] }[];
  /** The server's statuses of the project, if any. */
  statuses: RegistryStatus[] | undefined;
  conflicts: { row: string; attribute: string; mine: string; theirs: string; rowId?: string }[];
  /** Delays the server's answers. Returns a function that ends the delay. */
  hold(): () => void;
}

export function fakeIssue(text: string): FakeIssue {
  /** Every stored text by its revision number, for changes with an older base. */
  const history = new Map([[1, text]]);
  let gate = Promise.resolve();
  let name = 'Checklists';

  const changed = (change: ChecklistChange, base: string): string => {
    const { text } = issue.stored;
    if (change.kind === 'applyDemoTemplateToChecklist') return `${text}${demoTemplate.text}`;
    if (change.kind === 'applyTemplateToChecklist') return `${text}- from a template\n`;
    if (change.kind === 'convertItemToIssue')
      return text.replace(change.target.text, change.replaces ? 'ABC-2' : '$& ABC-2');
    if (change.kind === 'updateChecklistFromText') return merge(base, change.text, text).text;
    if (!isEdit(change)) return text;
    try {
      return performEdit(readChecklist(text), change);
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      return merge(base, performEdit(readChecklist(base), change), text).text;
    }
  };
  const server = async (_path: string, init: HostRequest = {}): Promise<HostResponse> => {
    const { operationName, variables } = init.json as {
      operationName: string;
      variables: { input?: Input };
    };
    if (operationName === 'getJob') {
      const [now] = issue.job.length > 1 ? issue.job.splice(0, 1) : issue.job;
      return json({ data: { job: { kind: 'IMPORT', ...now } } });
    }
    if (!variables.input) {
      return json({
        data: {
          checklist: {
            ...{ issueId: '1', epoch: 'e', hash: '', name, rowIds: [], source: 'PROPERTY' },
            copyNotice: issue.copyNotice,
            ...issue.stored,
          },
          ...(issue.statuses && { statuses: issue.statuses }),
        },
      });
    }
    issue.operations.push(operationName);
    await gate;
    if (operationName in issue.jobs) {
      const message = issue.jobs[operationName];
      issue.jobInputs.push(variables.input);
      const errors = message === undefined ? [{ code: 'FORBIDDEN', field: null, message: refusals.permission }] : [];
      const job = issue.job.length > 0 ? { id: 'job' } : null;
      return json({ data: { [operationName]: { message: message ?? null, job, errors } } });
    }
    if (issue.refuse === 'broken') return json({}, 500);
    const refused = { checklist: null, conflicts: [], notices: [], errors: [{ field: null, ...issue.refuse }] };
    if (issue.refuse) return json({ data: { changeChecklist: refused } });
    const { stored } = issue;
    const { base, change } = variables.input;
    issue.write(changed(change, history.get(base.seq) ?? ''));
    if ('name' in change) name = change.name ?? name;
    const checklist = { issueId: '1', epoch: 'e', hash: '', name, rowIds: [], source: 'PROPERTY', ...stored };
    return json({ data: { changeChecklist: { checklist, conflicts: issue.conflicts, notices: [], errors: [] } } });
  };
  const tracker = async (path: string, init: HostRequest = {}): Promise<HostResponse> => {
    if (path.endsWith('/user/bulk')) {
      const ids = [init.query?.accountId ?? []].flat();
      return json({ values: ids.map(id => ({ accountId: id, displayName: `Person ${id}` })) });
    }
    const project = { id: '10', key: 'ABC', name: 'Alpha' };
    const other = { id: '20', key: 'BET', name: 'Beta' };
    const types = [
      { id: '1', name: 'Task', subtask: false },
      { id: '2', name: 'Bug', subtask: false },
      { id: '5', name: 'Sub-task', subtask: true },
    ];
    if (path.endsWith('/project/search')) return json({ values: [project, other], total: 2 });
    if (path.includes('/project/')) {
      const known = path.endsWith('/20') ? { ...other, issueTypes: types.slice(1) } : { ...project, issueTypes: types };
      return json(known);
    }
    if (init.query?.fields === 'project,issuetype') return json({ id: '1', fields: { project, issuetype: types[0] } });
    const value = { v: 1, epoch: 'e', name, ...issue.stored };
    return json({ id: '1', properties: { [storageKey('checklist')]: value } });
  };
  const listeners = new Set<(data: Json) => void>();
  const issue: FakeIssue = {
    bridge: {
      ...noBridge(''),
      kind: 'connect',
      request: tracker,
      backend: server,
      owner: () => Promise.resolve({ tenant: payload.aud, account: payload.sub }),
      hostUrl: to => Promise.resolve(`https://site.example${to}`),
      flag: flag => issue.flags.push(flag),
      navigate: to => issue.navigations.push(to),
      openDialog: (_name, data) => {
        issue.opened.push(data);
        return Promise.resolve(undefined);
      },
      closeDialog: result => issue.closed.push(result),
      emit: () => undefined,
      on: (_event, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    stored: { seq: 1, text },
    copyNotice: null,
    licensed: true,
    write: written => {
      issue.stored.text = written;
      issue.stored.seq += 1;
      history.set(issue.stored.seq, written);
    },
    statuses: undefined,
    flags: [],
    operations: [],
    jobInputs: [],
    navigations: [],
    opened: [],
    closed: [],
    refuse: undefined,
    jobs: {},
    job: [],
    conflicts: [],
    hold: () => {
      let release = (): void => undefined;
      gate = new Promise(resolve => {
        release = resolve;
      });
      return () => release();
    },
  };
  return issue;
}

const editor: PermissionFlags = {
  ...noPermissions,
  canViewChecklist: true,
  canAddChecklistItems: true,
  canChangeItemStatuses: true,
  canDeleteChecklistItems: true,
  canEditChecklist: true,
};

/** A screen of an issue for a user with an editor's permissions, unless `may` changes them. */
export function page(
  issue: FakeIssue,
  screen: ReactNode,
  may: Partial<PermissionFlags> = {},
  where: Partial<HostContext> = {},
) {
  const { bridge } = issue;
  const settings = { ...payload.settings, licensed: issue.licensed };
  const signedIn = { ...sessions.ok, payload: { ...payload, settings } };
  const session = {
    get: () => signedIn,
    subscribe: () => () => undefined,
    start: () => () => undefined,
    retry: () => undefined,
    token: () => Promise.resolve('token'),
    renew: () => Promise.resolve('token'),
  };
  const user: User = { id: payload.sub, key: 'ana', name: 'Ana', domain: '', isAnonymous: false, ...editor, ...may };
  const services: Services = {
    bridge,
    session,
    graphql: createGraphql(bridge, session),
    queries: lazyQueries(bridge),
    navigation: createNavigation(window),
    once: onceOf(bridge),
    host: { surface: 'issue-context', issueId: '1', issueKey: 'ABC-1', projectKey: 'ABC', ...where },
  };
  return (
    <StrictMode>
      <ServicesProvider value={services}>
        <QueryClientProvider client={createQueryClient((title, type = 'success') => bridge.flag({ title, type }))}>
          <FeatureFlagsProvider value={allFeatures}>
            <UserProvider value={user}>{screen}</UserProvider>
          </FeatureFlagsProvider>
        </QueryClientProvider>
      </ServicesProvider>
    </StrictMode>
  );
}

/** Renders a page and waits for pending requests and for the outbox chunk. */
export async function show(...what: Parameters<typeof page>) {
  await import('../../src/client/outbox/outbox.ts');
  return act(async () => render(page(...what)));
}
