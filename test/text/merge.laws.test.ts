import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/text/document.ts';
import { deleteRow, insertRows, moveRows, rename, setMandatory, setStatus } from '../../src/text/edits.ts';
import { EditRefused } from '../../src/text/errors.ts';
import { merge } from '../../src/text/merge.ts';
import { readChecklist } from '../../src/text/read.ts';
import { targetOf } from '../../src/text/rows.ts';
import { runs } from '../run/seed.ts';
import { lineText, markedText, statuses, storedText } from './arbitrary.ts';

/** What merging keeps, whatever the three texts are. */

const merged = (base: string, mine: string, theirs: string) => merge(base, mine, theirs, statuses).text;

const sorted = (lines: readonly string[]) => [...lines].sort((a, b) => a.localeCompare(b));

/** Random edits of one text, as the product makes them. */
const edits = fc.array(fc.record({ kind: fc.nat(5), row: fc.nat(), other: fc.nat() }), { minLength: 1, maxLength: 4 });

type Edit = { kind: number; row: number; other: number };

function edited(text: string, list: readonly Edit[]): string {
  return list.reduce((result, { kind, row, other }) => {
    const checklist = readChecklist(result, statuses);
    const { rows } = checklist;
    const index = row % Math.max(1, rows.length);
    if (kind === 0 || rows.length === 0) {
      return applyChanges(result, insertRows(checklist, other % (rows.length + 1), `- new ${row % 5}`));
    }
    const target = targetOf(checklist, index);
    try {
      const slug = checklist.statuses.list[other % checklist.statuses.list.length]?.slug ?? 'done';
      if (kind === 1) return applyChanges(result, setStatus(checklist, target, slug));
      if (kind === 2) return applyChanges(result, setMandatory(checklist, target, other % 2 === 0));
      if (kind === 3) return applyChanges(result, rename(checklist, target, `${target.text} again`));
      if (kind === 4) return applyChanges(result, deleteRow(checklist, target));
      return applyChanges(result, moveRows(checklist, [target], other % (rows.length + 1)));
    } catch (error) {
      if (error instanceof EditRefused) return result;
      throw error;
    }
  }, text);
}

test('what one side alone changed is taken to the character', () => {
  fc.assert(
    fc.property(storedText, storedText, (base, other) => {
      expect(merged(base, other, base)).toBe(other);
      expect(merged(base, base, other)).toBe(other);
      expect(merged(base, other, other)).toBe(other);
    }),
  );
});

test('a change survives whole where the other side only added a blank line', () => {
  fc.assert(
    fc.property(markedText, edits, (base, list) => {
      const mine = edited(base, list);
      fc.pre(!base.startsWith('\n') && !mine.startsWith('\n') && mine !== base);
      expect(merged(base, mine, `\n${base}`)).toBe(`\n${mine}`);
    }),
    runs(500),
  );
});

const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];

/** A change that touches one row only and not the order: a status, a rewording, the flag, a detail. */
const change = fc.constantFrom(
  (line: string) => line.replace(/^-/, '+'),
  (line: string) => `${line} reworded`,
  (line: string) => line.replace(/^- /, '- ! '),
  (line: string) => `${line}\n> why`,
  () => undefined,
);

test('changes of different rows commute, and all are there', () => {
  const rows = words.map(word => `- ${word}`);
  const plan = fc.array(fc.tuple(fc.constantFrom('mine', 'theirs', 'none'), change), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(plan, fc.boolean(), (who, open) => {
      const version = (...sides: readonly string[]) =>
        rows
          .map((row, i) => (sides.includes(who[i]?.[0] ?? '') ? who[i]?.[1](row) : row))
          .filter(line => line !== undefined)
          .map(line => `${line}\n`)
          .join('')
          .slice(0, open ? -1 : undefined);
      const [base, mine, theirs] = [version(), version('mine'), version('theirs')];
      fc.pre(mine !== '' && theirs !== '');
      const expected = { text: version('mine', 'theirs'), conflicts: [] };
      expect(merge(base, mine, theirs)).toMatchObject(expected);
      expect(merge(base, theirs, mine)).toMatchObject(expected);
    }),
    runs(500),
  );
});

test('moves of different rows commute', () => {
  const rows = words.map(word => `- ${word}`);
  fc.assert(
    fc.property(fc.nat(7), fc.nat(7), fc.nat(8), fc.nat(8), (a, b, toA, toB) => {
      fc.pre(a !== b);
      const base = rows.join('\n');
      const move = (row: number, to: number) => {
        const checklist = readChecklist(base);
        return applyChanges(base, moveRows(checklist, [targetOf(checklist, row)], to));
      };
      const result = merged(base, move(a, toA), move(b, toB));
      expect(merged(base, move(b, toB), move(a, toA))).toBe(result);
      expect(sorted(result.split('\n'))).toEqual(sorted(rows));
    }),
    runs(500),
  );
});

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []);

test('no word that a side added is lost without a conflict', () => {
  fc.assert(
    fc.property(fc.oneof(markedText, storedText), edits, edits, (base, first, second) => {
      const [mine, theirs] = [edited(base, first), edited(base, second)];
      const { text, conflicts } = merge(base, mine, theirs, statuses);
      const reported = wordsOf([text, ...conflicts.flatMap(({ mine, theirs }) => [mine, theirs])].join(' '));
      const before = wordsOf(base);
      for (const word of [...wordsOf(mine), ...wordsOf(theirs)])
        if (!before.has(word)) expect(reported).toContain(word);
    }),
    runs(1000),
  );
});

test('a chain of late clients loses and doubles no added row', () => {
  // No change deletes or rewords a row here, so each added row must be there at the end.
  const kept = edits.map(list => list.filter(({ kind }) => kind !== 3 && kind !== 4));
  const client = fc.record({ behind: fc.nat(5), edits: kept });
  fc.assert(
    fc.property(markedText, fc.array(client, { minLength: 2, maxLength: 12 }), (start, clients) => {
      const stored = [start];
      const added: string[] = [];
      clients.forEach(({ behind, edits: list }, who) => {
        const base = stored[Math.max(0, stored.length - 1 - behind)] ?? '';
        const checklist = readChecklist(edited(base, list), statuses);
        const mine = applyChanges(checklist.text, insertRows(checklist, checklist.rows.length, `- client ${who}`));
        added.push(`client ${who}`);
        stored.push(merged(base, mine, stored.at(-1) ?? ''));
      });
      const texts = readChecklist(stored.at(-1) ?? '', statuses).rows.map(({ text }) => text);
      for (const text of added) expect(texts.filter(found => found === text)).toHaveLength(1);
    }),
    runs(100),
  );
});

test('any three texts merge to a text', () => {
  fc.assert(
    fc.property(storedText, storedText, storedText, (base, mine, theirs) => {
      expect(typeof merged(base, mine, theirs)).toBe('string');
    }),
    runs(500),
  );
});

test('a merge of three versions of one row loses no word without reporting it', () => {
  fc.assert(
    fc.property(lineText, lineText, lineText, (base, mine, theirs) => {
      const ids = { base: ['1'], mine: ['1'], theirs: ['1'] };
      const { text, conflicts } = merge(`- ${base}`, `- ${mine}`, `- ${theirs}`, statuses, ids);
      const reported = wordsOf([text, ...conflicts.flatMap(({ mine, theirs }) => [mine, theirs])].join(' '));
      const before = wordsOf(base);
      for (const word of [...wordsOf(mine), ...wordsOf(theirs)])
        if (!before.has(word)) expect(reported).toContain(word);
    }),
    runs(2000),
  );
});
