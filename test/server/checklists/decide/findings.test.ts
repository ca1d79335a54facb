import { expect, test } from 'vitest';
import { labelledText, similarNames } from '../../../../bench/similar-names.ts';
import { newFindings } from '../../../../src/server/checklists/decide/findings.ts';
import { readText } from '../../../../src/server/text-workers/reading.ts';
import { countedRegistry } from '../../../text/counted-registry.ts';

test('new findings are computed without a comparison of the statuses’ names', () => {
  const { registry, reads } = countedRegistry(similarNames);
  const after = `- [${similarNames[0]?.slice(1)}] new\n${labelledText}`;
  readText(labelledText, registry);
  readText(after, registry, labelledText);
  const before = reads();
  const findings = newFindings({ before: labelledText, after, statuses: registry });
  expect(findings.map(({ code, row }) => [code, row])).toEqual([['UNKNOWN_STATUS', 0]]);
  expect(reads() - before).toBe(0);
});

test('a change that leaves the text as it is has no new findings', () => {
  const { registry } = countedRegistry([]);
  expect(newFindings({ before: '- [Unknown] a', after: '- [Unknown] a', statuses: registry })).toEqual([]);
});
