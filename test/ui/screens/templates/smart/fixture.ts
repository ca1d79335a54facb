import { EditorView } from '@codemirror/view';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeIssue } from '../../../issue.tsx';
import { type Answers, answer, page, type Sent, template } from '../server.ts';

export const project = { projectId: '10', projectKey: 'ABC' };
export const release = template('1', 'Release');
export const onboarding = template('2', 'Onboarding', { projectId: null, text: '- Laptop' });

export const filed = ({ id, name, itemCount, isDefault, updated }: ReturnType<typeof template>) => ({
  ...{ id, name, itemCount, isDefault, updated },
});
export const tree = (global: boolean, own: readonly ReturnType<typeof template>[] = [release]) => ({
  templateTree: {
    folders: [
      { projectId: null, mayChange: global, templates: [filed(onboarding)] },
      { projectId: '10', mayChange: true, templates: own.map(filed) },
    ],
    next: null,
  },
});

/** A fake server with two templates, which it changes on request. */
export function open(answers: Answers = {}, stored = { ...release }) {
  const issue = fakeIssue('');
  const sent = answer(issue, {
    getTemplateTree: () => tree(true, [stored]),
    getTemplate: ({ id }) => ({ template: id === '1' ? stored : onboarding }),
    getTemplates: () => page([]),
    getTemplateUsage: () => ({ templateUsage: { issueCount: 0, rules: [] } }),
    getTemplateVersions: () => ({
      templateVersions: {
        versions: [
          { version: 2, name: 'Release', itemCount: 2, account: 'mia', created: '2026-11-02T10:00:00.000Z' },
          { version: 1, name: 'First', itemCount: 1, account: '', created: '2026-11-01T10:00:00.000Z' },
        ],
        next: null,
      },
    }),
    getTemplateVersion: ({ version }) => ({
      templateVersion: { name: 'Release', text: version === 1 ? '- a' : '- a\n- b\n' },
    }),
    updateTemplate: ({ input }) => {
      Object.assign(stored, input);
      return { updateTemplate: { template: { ...stored }, errors: [] } };
    },
    ...answers,
  });
  return { issue, sent, stored };
}

export const changes = (sent: readonly Sent[]) => sent.filter(({ name }) => !name.startsWith('get'));
export const line = (name: string | RegExp) => screen.findByRole('treeitem', { name });
export const textOf = async (label: string) => {
  const content = await screen.findByRole('textbox', { name: label });
  const view = EditorView.findFromDOM(content);
  if (!view) throw new Error('There is no editor.');
  return view;
};
export const editor = (name = 'Release') => textOf(`Text of ${name}`);
export const type = (view: EditorView, insert: string) => act(() => view.dispatch({ changes: { from: 0, insert } }));
export const save = async () => userEvent.click(await screen.findByRole('button', { name: 'Save' }));
