import {
  type Completion,
  CompletionContext,
  type CompletionResult,
  type CompletionSource,
} from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { isChoice, type Picture } from '../../../src/editor/complete/option.ts';
import { type Provider, provider } from '../../../src/editor/provider.ts';
import { marked, stateOf } from '../fixture.ts';

/** A Sunday. */
export const TODAY = '2026-11-22';

/** A provider that knows nothing but the day, or what a test gives it. */
export const fakeProvider = (parts: Partial<Provider> = {}): Provider => ({
  findPeople: async () => [],
  findIssues: async () => [],
  person: () => undefined,
  issue: () => undefined,
  subscribe: () => () => undefined,
  today: () => TODAY,
  ...parts,
});

interface Asked {
  provider?: Provider;
  explicit?: boolean;
  extensions?: Parameters<typeof stateOf>[1];
}

/** What a source makes of a text with its cursor as `|`; no view is there. */
export async function offered(
  source: CompletionSource,
  text: string,
  { provider: given = fakeProvider(), explicit = false, extensions = [] }: Asked = {},
): Promise<CompletionResult | null> {
  const state = stateOf(text, provider.of(given), extensions);
  return source(new CompletionContext(state, state.selection.main.head, explicit));
}

/** The names of what is offered, in its order. */
export const labels = (result: CompletionResult | null): string[] => result?.options.map(({ label }) => label) ?? [];

export const pictureOf = (completion: Completion | undefined): Picture | undefined =>
  completion && isChoice(completion) ? completion.picture : undefined;

/** The text after a choice by its name; `|` is the cursor. */
export async function chosen(
  source: CompletionSource,
  text: string,
  label: string | RegExp,
  asked: Asked = {},
): Promise<string> {
  const result = await offered(source, text, asked);
  const option = result?.options.find(one => (typeof label === 'string' ? one.label === label : label.test(one.label)));
  if (!result || typeof option?.apply !== 'function') throw new Error(`${label} is not offered.`);
  const state = stateOf(text, provider.of(asked.provider ?? fakeProvider()), asked.extensions ?? []);
  const view = new EditorView({ state });
  try {
    option.apply(view, option, result.from, result.to ?? state.selection.main.head);
    return marked(view.state);
  } finally {
    view.destroy();
  }
}

/** Texts in which nothing is completed, `@` standing for whatever is typed. */
export const refusals = (typed: string): string[] => [
  `- in \`code ${typed}|\``,
  `- [label ${typed}|](https://a.example)`,
  `- [label](https://a.example/${typed}|)`,
  `- https://a.example/${typed}|`,
  `- word${typed}|`,
];

export const readOnly = EditorState.readOnly.of(true);
