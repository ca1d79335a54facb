import { PROJECT } from '../support/issue-creation.ts';
import { OTHER_PROJECT } from '../support/projects.ts';
import { asObject } from '../support/sync.ts';
import { type FakeIssue, type FakeTracker, type Fault, OWN_FIELD } from '../support/tracker.ts';
import { otherCalls } from './actions.ts';

/** Answers to calls, each of another kind. */
const babbles: readonly (() => Response | 'down')[] = [
  ...[400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 500, 502, 503].map(
    status => () => new Response('{}', { status }),
  ),
  () => new Response('<html>Not found</html>', { status: 404, headers: { 'content-type': 'text/html' } }),
  () => new Response('<html>Maintenance</html>', { status: 200, headers: { 'content-type': 'text/html' } }),
  () => new Response('', { status: 200 }),
  () => new Response('{"errorMessages": 7}', { status: 400 }),
  () => 'down',
];
/** Calls that fail, one after the other. */
const FAILING_CALLS = 3;

const answerOf = (status: number) => new Response('{}', { status });
const FIELD_NAME = 'Checklist Text';

/** The state of a fake tracker that actions change: its refusals, and issues that it does not show. */
export interface TrackerState {
  /** An issue, shown or not. */
  held(id: string): FakeIssue;
  projectOf(id: string): string;
  /** Since the last `reset`, the tracker has failed, or has answered what is not documented. */
  readonly isProvoked: boolean;
  readonly isBabbling: boolean;
  /** An issue may count as missing: it was hidden, or a call for it was answered with 403 or 404. */
  readonly mayMiss: boolean;
  /** No event of the app's own writes arrives. */
  isDeaf: boolean;
  move(id: string): string;
  /** Hides an issue that is shown, or shows it again. Resolves with whether it is shown now. */
  toggleShown(id: string): boolean;
  refuse(id: string, copy: string, status: number): void;
  refuseRead(id: string, status: number): void;
  refuseProject(status: number): void;
  refuseCall(call: keyof typeof otherCalls, status: number): void;
  /** Archives an issue, which is read-only then, or restores it. */
  toggleArchived(id: string): void;
  /** Denies the app a project, or grants it again. */
  toggleDenied(): void;
  /** Keeps the app from leaving mail out, or lets it. */
  toggleRestricted(): void;
  /** Takes the field off all screens, or puts it there. */
  toggleScreen(): void;
  /** Loses the answer to the next write of a copy, which has its effect. */
  loseAnswer(id: string, copy: string): void;
  babble(from: number): void;
  fail(status: number): void;
  /** Ends all refusals and failures. */
  allow(): void;
  /** From now on, errors count as not provoked. */
  calm(): void;
  /** A tracker without issues and failures. */
  reset(): void;
}

export function createTrackerState(tracker: FakeTracker): TrackerState {
  const hidden = new Map<string, FakeIssue>();
  const archived = new Set<string>();
  let isDenied = false;
  let [isProvoked, isBabbling, mayMiss] = [false, false, false];
  const isOfMissing = (status: number) => status === 403 || status === 404;

  const isOfProperty = (path: string, id: string) =>
    path.includes('/properties/') && (path.includes(`/issue/${id}/`) || path.includes('/issue/properties/'));
  const isOfField = (path: string, id: string) => path.endsWith(`/issue/${id}`);
  const isOf = (path: string, id: string) => path.endsWith(`/issue/${id}`) || path.includes(`/issue/${id}/`);

  const refuseArchived: Fault = ({ method, path }) =>
    method === 'PUT' && [...archived].some(id => isOfProperty(path, id) || isOfField(path, id))
      ? answerOf(403)
      : undefined;
  const refuseDenied: Fault = ({ path }) =>
    isDenied && [...tracker.issues.keys()].some(id => isOf(path, id) && state.projectOf(id) === PROJECT)
      ? answerOf(403)
      : undefined;
  const lasting = [refuseArchived, refuseDenied];

  function provoke(fault: Fault): void {
    isProvoked = true;
    tracker.faults.push(fault);
  }
  const provokeOnce = (isMeant: Parameters<typeof tracker.lost.push>[0]): void => {
    isProvoked = true;
    let isOver = false;
    tracker.lost.push(call => {
      if (isOver || !isMeant(call)) return false;
      isOver = true;
      return true;
    });
  };

  const state: TrackerState = {
    get isProvoked() {
      return isProvoked;
    },
    get isBabbling() {
      return isBabbling;
    },
    get mayMiss() {
      return mayMiss;
    },
    isDeaf: false,
    held(id) {
      const issue = tracker.issues.get(id) ?? hidden.get(id);
      if (!issue) throw new Error('No issue.');
      return issue;
    },
    projectOf: id => String(asObject(state.held(id).fields.project)['id' as never] ?? PROJECT),
    move(id) {
      const to = state.projectOf(id) === PROJECT ? OTHER_PROJECT : PROJECT;
      state.held(id).fields.project = { id: to, key: `P${to}` };
      return to;
    },
    toggleShown(id) {
      const issue = state.held(id);
      const [from, to] = hidden.has(id) ? [hidden, tracker.issues] : [tracker.issues, hidden];
      from.delete(id);
      to.set(id, issue);
      // A user who has it open gets errors.
      [isProvoked, mayMiss] = [true, true];
      return to === tracker.issues;
    },
    refuse(id, copy, status) {
      mayMiss ||= isOfMissing(status);
      provoke(({ method, path }) => {
        const isMeant = (copy !== 'field' && isOfProperty(path, id)) || (copy !== 'property' && isOfField(path, id));
        return method === 'PUT' && isMeant ? answerOf(status) : undefined;
      });
    },
    refuseRead(id, status) {
      mayMiss ||= isOfMissing(status);
      provoke(({ method, path }) => (method === 'GET' && isOfField(path, id) ? answerOf(status) : undefined));
    },
    refuseProject: status =>
      provoke(({ method, path }) =>
        method === 'PUT' && path.includes(`/project/${PROJECT}/`) ? answerOf(status) : undefined,
      ),
    refuseCall: (call, status) => provoke(({ path }) => (otherCalls[call].test(path) ? answerOf(status) : undefined)),
    toggleArchived(id) {
      isProvoked = true;
      if (!archived.delete(id)) archived.add(id);
    },
    toggleDenied() {
      [isProvoked, mayMiss] = [true, true];
      isDenied = !isDenied;
    },
    toggleRestricted() {
      tracker.isRestricted = !tracker.isRestricted;
    },
    toggleScreen() {
      const { [OWN_FIELD]: name, ...others } = tracker.names;
      tracker.names = name === undefined ? { ...others, [OWN_FIELD]: FIELD_NAME } : others;
    },
    loseAnswer: (id, copy) =>
      provokeOnce(
        ({ method, path }) => method === 'PUT' && (copy === 'field' ? isOfField(path, id) : isOfProperty(path, id)),
      ),
    babble(from) {
      [isBabbling, mayMiss] = [true, true];
      let count = from;
      provoke(({ path }) => {
        if (!path.includes('/issue')) return undefined;
        count += 1;
        return babbles[count % babbles.length]?.();
      });
    },
    fail(status) {
      let left = FAILING_CALLS;
      provoke(({ path }) => {
        if (!path.includes('/issue') || left === 0) return undefined;
        left -= 1;
        return answerOf(status);
      });
    },
    allow() {
      for (const [id, issue] of hidden) tracker.issues.set(id, issue);
      hidden.clear();
      archived.clear();
      isDenied = false;
      state.isDeaf = false;
      tracker.isRestricted = false;
      tracker.lost = [];
      tracker.faults = [...lasting];
      tracker.names = { ...tracker.names, [OWN_FIELD]: FIELD_NAME };
    },
    calm() {
      [isProvoked, isBabbling, mayMiss] = [false, false, false];
    },
    reset() {
      state.allow();
      state.calm();
      tracker.meanwhile = [];
      tracker.issues.clear();
      tracker.calls.length = 0;
      for (const properties of tracker.projects.values())
        for (const key of Object.keys(properties)) delete properties[key];
    },
  };
  return state;
}
