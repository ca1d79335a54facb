import * as v from 'valibot';
import { expect, test } from 'vitest';
import { refused } from '../support/ask.ts';
import { onTemplateSites } from '../support/templates.ts';

const rows = (count: number) => Array.from({ length: count }, (_, index) => `- row ${index} of a template`);
const savedShape = v.object({ template: v.object({ text: v.string(), itemCount: v.number() }) });

onTemplateSites(site => {
  const save = (values: Record<string, unknown>) => site.run('admin', 'updateTemplate', values);
  const changed = (text: readonly string[], index: number) => text.with(index, `- changed ${index}`).join('\n');

  test('a text or base beyond the size of a template is refused without a turn', async () => {
    const { id } = await site.made('admin');
    const large = rows(2_000).join('\n');
    const size = expect.stringContaining('This template is too large');
    site.it.turns.length = 0;
    expect(await save({ id, text: large, baseText: '- a' })).toMatchObject(refused('TOO_LARGE', 'text', size));
    expect(await save({ id, text: '- a', baseText: large })).toMatchObject(refused('TOO_LARGE', 'baseText', size));
    expect(site.it.turns).toEqual([]);
  });

  test('large texts are merged in a turn of their author, small ones without', async () => {
    const long = rows(900);
    const { id } = await site.made('admin', { text: long.join('\n') });
    site.it.turns.length = 0;
    await save({ id, text: changed(long, 3), baseText: long.join('\n') });
    const { template } = v.parse(savedShape, await save({ id, text: changed(long, 5), baseText: long.join('\n') }));
    expect(template).toEqual(
      expect.objectContaining({ text: long.with(3, '- changed 3').with(5, '- changed 5').join('\n'), itemCount: 900 }),
    );
    expect(site.it.turns).toEqual(['admin', 'admin']);
    const small = await site.made('admin', { name: 'Small', text: '- a\n- b' });
    expect(await save({ id: small.id, text: '- c\n- b', baseText: '- a\n- b' })).toMatchObject({ errors: [] });
    expect(site.it.turns).toHaveLength(2);
  });

  test('of many concurrent changes none is lost', async () => {
    const base = rows(60);
    const { id } = await site.made('admin', { text: base.join('\n') });
    const indexes = [1, 7, 13, 19, 25, 31, 37, 43];
    const answers = await Promise.all(
      indexes.map(index => save({ id, text: changed(base, index), baseText: base.join('\n') })),
    );
    for (const answer of answers) expect(answer).toMatchObject({ errors: [] });
    const { templates } = await site.list('admin');
    const wanted = indexes.reduce((text, index) => text.with(index, `- changed ${index}`), base);
    expect(templates.find(template => template.id === id)?.text).toBe(wanted.join('\n'));
  });
});
