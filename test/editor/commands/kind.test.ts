import { expect, test } from 'vitest';
import { demote, promote, toDetail, toHeader, toItem } from '../../../src/editor/commands/kind.ts';
import { run } from '../fixture.ts';

test.each([
  [promote, '- a\n> wh|y', '- a\n- wh|y'],
  [promote, '## A\n+ a|', '## A\n## a|'],
  [promote, '## A|', '# A|'],
  [promote, '# A|', '# A|'],
  [demote, '# A|\n- a', '## A|\n- a'],
  [demote, '###### A|', '###### A|'],
  [demote, '- a\n- b|\n> c', '- a\n> b|\n> c'],
  [demote, '- a|', '- a|'],
  [toHeader, 'a|', '# a|'],
  [toHeader, '- a\n- |b\n- c|', '- a\n# |b\n# c|'],
  [toItem, '## a|', '- a|'],
  [toItem, '# ! a|', '# ! a|'],
  [toDetail, '- a\n+ b|', '- a\n> b|'],
  [toDetail, '- a\n# B|', '- a\n# B|'],
])('%# %j', (command, before, after) => expect(run(command, before)).toBe(after));
