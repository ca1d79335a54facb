import { expect, test } from 'vitest';
import { performEdit } from '../../src/text/perform.ts';
import { readChecklist } from '../../src/text/read.ts';

test.each(['constructor', 'toString', '__proto__'])('an account called %s is no member of every object', person => {
  const text = `- ask [~accountid:${person}] first`;
  const target = { index: 0, text: text.slice(2) };
  const clear = (names?: Record<string, string>) =>
    performEdit(readChecklist(text), {
      kind: 'updateChecklistItem',
      target,
      values: { assignee: null, ...(names && { names }) },
    });
  expect(() => clear()).toThrow('name is needed');
  expect(clear({ [person]: 'Ana' })).toBe('- ask Ana first');
});
