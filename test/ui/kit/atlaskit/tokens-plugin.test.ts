import { build } from 'vite';
import { expect, test } from 'vitest';
import { tokens } from '../../../../src/ui/kit/atlaskit/tokens-plugin.ts';

async function sheet(): Promise<string> {
  const entry = {
    name: 'entry',
    resolveId: (id: string) => (id === 'entry' ? id : undefined),
    load: (id: string) => (id === 'entry' ? "import 'virtual:tokens.css'" : undefined),
  };
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [tokens(), entry],
    build: { write: false, minify: false, cssMinify: false, rolldownOptions: { input: 'entry' } },
  });
  const outputs = 'output' in result ? result.output : [];
  const css = outputs.find(({ fileName }) => fileName.endsWith('.css'));
  return css?.type === 'asset' ? String(css.source) : '';
}

test('one style sheet holds the tokens, light unless the page sets dark', async () => {
  const css = await sheet();
  const [light = '', dark = ''] = css.split("html[data-color-mode='dark']");
  const value = (rules: string, token: string) => new RegExp(`${token}: ([^;]+);`).exec(rules)?.[1];
  for (const token of ['--ds-space-100', '--ds-radius-small', '--ds-font-body', '--ds-text', '--ds-surface']) {
    expect([token, value(light, token)]).toEqual([token, expect.any(String)]);
  }
  expect(value(light, 'color-scheme')).toBe('light');
  expect(value(dark, 'color-scheme')).toBe('dark');
  expect(value(dark, '--ds-surface')).not.toBe(value(light, '--ds-surface'));
});
