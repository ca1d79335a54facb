import { expect, test } from 'vitest';
import { add } from '../support/checklists.ts';
import { nothingLeft } from '../support/left-behind.ts';
import { onSync } from '../support/sync.ts';
import { OWN_FIELD } from '../support/tracker.ts';

onSync(({ use, it, work }) => {
  test('a test that leaves a copy behind its text fails, once, and one whose copies are due does not', async () => {
    const issue = await work.settledIssue('- a');
    await issue.edit(add('b'));
    await nothingLeft();
    await it.settled();
    await nothingLeft();
    work.held(issue).fields[OWN_FIELD] = '- c';
    await use().raw('update checklist set seq = seq where issue = $1', [issue.id]);
    const differences = [`field of issue ${issue.id}`];
    await expect(nothingLeft()).rejects.toMatchObject({ actual: { differences } });
    await nothingLeft();
  });
});
