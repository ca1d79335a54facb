import { expect, test } from 'vitest';
import { createAppPermission } from '../../../src/server/access/app-permission.ts';
import { TrackerUnavailable } from '../../../src/server/errors/tracker.ts';

const MINUTE = 60_000;
const site = { id: 'site', epoch: 'e' };

/** A tracker that grants the app what is set, or does not answer. */
function project(granted: string[]) {
  const state: { time: number; asked: number; isAway: boolean; granted: string[] } = {
    ...{ time: MINUTE, asked: 0, isAway: false, granted },
  };
  const permission = createAppPermission(() => state.time);
  const require = () =>
    permission.requireEdit(
      site,
      async () => {
        state.asked += 1;
        if (state.isAway) throw new TrackerUnavailable('away');
        const projectPermissions = state.granted.map(permission => ({ permission, issues: [], projects: [10_000] }));
        return { status: 200, body: { projectPermissions, globalPermissions: [] } };
      },
      '10000',
    );
  return { state, require };
}
const editor = ['BROWSE_PROJECTS', 'EDIT_ISSUES'];

test('a project is asked about once in five minutes, also by changes at the same time', async () => {
  const { state, require } = project(editor);
  await Promise.all([require(), require()]);
  state.time += 5 * MINUTE - 1;
  state.granted = [];
  await require();
  expect(state.asked).toBe(1);
  state.time += 2;
  await expect(require()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(state.asked).toBe(2);
});

test('while the tracker does not answer, its last answer is good for an hour, and it is asked again each time', async () => {
  const { state, require } = project(editor);
  await require();
  state.isAway = true;
  for (const minutes of [6, 20, 20]) {
    state.time += minutes * MINUTE;
    await require();
  }
  expect(state.asked).toBe(4);
  state.time += 20 * MINUTE;
  await expect(require()).rejects.toThrow(TrackerUnavailable);
  state.isAway = false;
  await require();
});

test('without an earlier answer, one that fails is none', async () => {
  const { state, require } = project(editor);
  state.isAway = true;
  await expect(require()).rejects.toThrow(TrackerUnavailable);
  state.isAway = false;
  await require();
});
