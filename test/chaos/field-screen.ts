import * as v from 'valibot';
import { siteAdmin } from '../../src/tracker/site/people.ts';
import { type ChaosSite, cookieOf, pause } from './site.ts';

const read = v.object({ fields: v.object({ project: v.object({ key: v.string() }) }) });

/** An administrator who takes the checklist's field off the issues' screens, and puts it back. */
export interface FieldScreen {
  /** Takes it off in the middle of each minute, or of a shorter run; resolves with the number of times. */
  work(seconds: number): Promise<number>;
  isOff(): boolean;
}

export function createFieldScreen(
  { tracker }: ChaosSite,
  issues: readonly string[],
  putBack: () => Promise<void>,
): FieldScreen {
  let off = false;
  const headers = cookieOf(siteAdmin.accountId);

  async function projects(): Promise<Set<string>> {
    const keys = new Set<string>();
    for (const issue of issues) {
      const answer = await tracker.app.inject({ url: `/rest/api/2/issue/${issue}?fields=project`, headers });
      keys.add(v.parse(read, answer.json()).fields.project.key);
    }
    return keys;
  }

  async function set(checklistFieldOnScreen: boolean): Promise<void> {
    if (!checklistFieldOnScreen) off = true;
    for (const key of await projects()) {
      const payload = { checklistFieldOnScreen };
      const { statusCode } = await tracker.app.inject({
        method: 'PUT',
        url: `/host/projects/${key}`,
        headers,
        payload,
      });
      if (statusCode >= 300) throw new Error(`The tracker answered ${statusCode} to a change of the screens.`);
    }
    off = !checklistFieldOnScreen;
  }

  return {
    isOff: () => off,
    async work(seconds) {
      const every = Math.min(seconds, 60) * 1000;
      let times = 0;
      for (let left = seconds * 1000; left >= every; left -= every) {
        await pause(every / 4);
        await set(false);
        await pause(Math.min(every / 4, 5_000));
        await set(true);
        times += 1;
        // Synchronises the missed changes after putting it back.
        await putBack();
        await pause(Math.max(0, (3 * every) / 4 - Math.min(every / 4, 5_000)));
      }
      return times;
    },
  };
}
