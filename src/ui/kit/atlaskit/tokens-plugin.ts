import type { Plugin } from 'vite';

const id = 'virtual:tokens.css';
const themes = '@atlaskit/tokens/dist/es2019/artifacts/themes';

/** The selector for each theme of the design system: light by default. */
const rules = [
  ['atlassian-spacing', ':root'],
  ['atlassian-shape', ':root'],
  ['atlassian-typography', ':root'],
  ['atlassian-light', ':root'],
  ['atlassian-dark', "html[data-color-mode='dark']"],
] as const;

/** The declarations of a theme. The package stores each as one rule in one template string of a script. */
function declarations(source: string, theme: string): string {
  const ruleBody = /`[^`{]*\{([^`}]*)\}\s*`/.exec(source)?.[1];
  if (!ruleBody) throw new Error(`@atlaskit/tokens: ${theme} is no longer one rule.`);
  return ruleBody;
}

/**
 * Builds the design tokens into one style sheet, `virtual:tokens.css`, so that the first paint needs neither the
 * package's theme scripts nor the tokens that the host loads after the bridge is ready.
 */
export function tokens(): Plugin {
  return {
    name: 'tokens',
    resolveId: source => (source === id ? `\0${id}` : undefined),
    async load(source) {
      if (source !== `\0${id}`) return undefined;
      const sheets = rules.map(async ([theme, selector]) => {
        const file = await this.resolve(`${themes}/${theme}.js`);
        if (!file) throw new Error(`@atlaskit/tokens has no ${theme}.`);
        return `${selector} {${declarations(await this.fs.readFile(file.id, { encoding: 'utf8' }), theme)}}`;
      });
      return (await Promise.all(sheets)).join('\n');
    },
  };
}
