import { describe, expect, test } from 'vitest';
import { add, tick } from '../support/checklists.ts';
import { onSync } from '../support/sync.ts';
import { OWN_FIELD, writeFields } from '../support/tracker.ts';

const values: [string, string][] = [
  ...['abc', '', '1.5', '-1', '1e400', '99999999999999999999'].map((cursor): [string, string] => [
    `the cursor "${cursor}"`,
    `cursor = '${cursor}'`,
  ]),
  ['accounts', `actors = array[null], hints = hints + 1`],
  ['a foreign value', `property_seen = '7', hints = hints + 1`],
];

/** Values of the table `sync` that cannot be read count as unknown. */
onSync(({ use, it, work }) => {
  const sweep = () => it.jobs.sweep({ tenant: it.tenant.id }, { signal: new AbortController().signal, lastTry: false });

  describe.each(values)('of %s', (_name, damage) => {
    test('the copies follow the next change', async () => {
      const issue = await work.settledIssue('- a');
      await use().raw(`update sync set ${damage} where issue = $1`, [issue.id]);
      await work.event(issue);
      await issue.edit(add('b'));
      await work.quiet(issue, '- a\n- b');
    });

    test('the sweep ends, mends the value and finds foreign changes of other issues', async () => {
      const [damaged, other] = [await work.settledIssue('- a'), await work.settledIssue('- a\n- b')];
      writeFields(work.held(other), { [OWN_FIELD]: '- a\n- b\n- theirs' }, 'mallory');
      await other.edit(tick(0, 'a'));
      await it.settled();
      await use().raw(`update sync set ${damage} where issue = $1`, [damaged.id]);
      await sweep();
      await work.quiet(other, '+ a\n- b\n- theirs');
      await work.quiet(damaged, '- a');
      const rows = await use().raw(
        `select 1 from sync where issue = $1 and (cursor is null or cursor ~ '^[0-9]{1,15}$')
          and array_position(actors, null) is null`,
        [damaged.id],
      );
      expect(rows).toHaveLength(1);
    });
  });
});
