import { expect, test } from 'vitest';
import { bold, code, italic, link, strike } from '../../../src/editor/commands/format.ts';
import { run } from '../fixture.ts';

test.each([
  [bold, '- |wash| up', '- **|wash|** up'],
  [bold, '- **|wash|** up', '- |wash| up'],
  [bold, '- wa|sh up', '- **wa|sh** up'],
  [bold, '- **wa|sh** up', '- wa|sh up'],
  [italic, '- a |', '- a *|*'],
  [italic, '- a *|*', '- a |'],
  [strike, '- |a\n> b|', '- ~~|a~~\n> ~~b|~~'],
  [code, '- |x = 1|', '- `|x = 1|`'],
  [code, '|- |a', '|- |a'],
  [link, '- see |docs|', '- see [docs](|https://|)'],
  [link, '- see [do|cs](https://a.b) now', '- see do|cs now'],
])('%# %j', (command, before, after) => expect(run(command, before)).toBe(after));
