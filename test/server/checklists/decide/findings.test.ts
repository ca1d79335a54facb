import { expect, test } from 'vitest';
import { labelledText, similarNames } from '../../../../bench/similar-names.ts';
import { newFindings } from '../../../../src/server/checklists/decide/findings.ts';
import { readText } from '../../../../src/server/common/reading.ts';
import { countedRegistry } from '../../../text/counted-registry.ts';

test('new findings are computed in slices, and compare no names of statuses', () => {
  const { registry, reads } = countedRegistry(similarNames);
  const after = `- [${similarNames[0]?.slice(1)}] new\n${labelledText}`;
  readText(labelledText, registry);
  readText(after, registry, labelledText);
  const before = reads();
  const work = newFindings({ before: labelledText, after, statuses: registry });
  let slices = 1;
  let step = work.next();
  for (; !step.done; step = work.next()) slices += 1;
  expect(step.value.map(({ code, row }) => [code, row])).toEqual([['UNKNOWN_STATUS', 0]]);
  expect(reads() - before).toBe(0);
  expect(slices).toBeGreaterThan(10);
});

test('a change that leaves the text as it is has no new findings, and reads nothing', () => {
  const { registry } = countedRegistry([]);
  const work = newFindings({ before: '- [Unknown] a', after: '- [Unknown] a', statuses: registry });
  expect(work.next()).toEqual({ done: true, value: [] });
});
