import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { labelledText, similarNames } from '../../bench/similar-names.ts';
import { nearestOf } from '../../src/text/diagnose/nearest.ts';
import { diagnose, fixesOf } from '../../src/text/diagnose.ts';
import { readChecklist } from '../../src/text/read.ts';
import { runs } from '../run/seed.ts';
import { countedRegistry } from './counted-registry.ts';

/** The whole matrix. */
function levenshtein(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}

test('the nearest name is the first of those with the least distance, up to a third of the length', () => {
  const letter = fc.constantFrom('a', 'b', 'c');
  const word = fc.string({ unit: letter, minLength: 1, maxLength: 14 });
  // Longer than a machine word, and similar to each other.
  const long = fc
    .tuple(fc.integer({ min: 1, max: 80 }), fc.array(fc.tuple(fc.nat(79), letter), { maxLength: 30 }))
    .map(([length, changes]) => {
      const letters = Array.from('abcab'.repeat(16));
      for (const [at, now] of changes) letters[at] = now;
      return letters.slice(0, length).join('');
    });
  const name = fc.oneof(word, long);
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 6 }), name, (names, wanted) => {
      const distances = names.map(each => levenshtein(wanted, each));
      const least = Math.min(...distances);
      const isNear = least <= Math.max(1, Math.floor(wanted.length / 3));
      const nearest = nearestOf(names.map((name, index) => ({ name, index })))(wanted);
      expect(nearest?.index).toBe(isNear ? distances.indexOf(least) : undefined);
    }),
    runs(5000),
  );
});

test('a comparison of two names reads each character once, not each cell of the matrix', () => {
  const [wanted = '', ...names] = similarNames;
  const nearest = nearestOf(names.map(name => ({ name })));
  const reads = vi.spyOn(String.prototype, 'charCodeAt');
  nearest(wanted);
  const characters = reads.mock.calls.length;
  reads.mockRestore();
  // A matrix has 2,500 cells, the band that is near enough some 800.
  expect(characters / names.length).toBeLessThan(60);
});

test('findings compare no names of statuses, and their fixes read each name once for a registry', () => {
  const { registry, reads } = countedRegistry(similarNames);
  const checklist = readChecklist(labelledText, registry);
  const before = reads();
  const findings = diagnose(checklist);
  expect(findings).toHaveLength(573);
  expect(reads() - before).toBe(0);
  const [first, ...others] = findings;
  if (first) fixesOf(checklist, first);
  const indexed = reads();
  expect(indexed - before).toBeLessThanOrEqual(3 * similarNames.length);
  for (const finding of others.slice(0, 5)) fixesOf(checklist, finding);
  // A fix names its status.
  expect(reads() - indexed).toBeLessThan(5 * 20);
});
