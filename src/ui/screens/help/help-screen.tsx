import Button from '@atlaskit/button/new';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Surface } from '../../../domain/pages.ts';
import type { Status } from '../../../domain/statuses.ts';
import { checklistEditor, type EditorCommand, editorCommands, type Provider } from '../../../editor/index.ts';
import { statusRegistry } from '../../../text/status-registry.ts';
import { type KeyHelp, keyHelp, listKeys } from '../../checklist/list/list-commands.ts';
import { useModal } from '../../kit/focus.ts';
import { Segmented } from '../../kit/form/form.tsx';
import type { HelpDialogProps } from '../../shell/help/help-overlay.tsx';
import { news, useMarkNewsSeen, useUnseenNews } from '../../shell/help/news.ts';
import { Back, PageTitle } from '../../shell/plain-pages.tsx';
import { useHostContext, useServices } from '../../shell/services/services.ts';
import { createProvider, TextEditor } from '../../text-editor/text-editor.tsx';
import { Entries } from './entries.tsx';
import { guide } from './guide.ts';
import { SearchHelp } from './search-help.tsx';
import { WorkflowHelp } from './workflow-help.tsx';
import './help.css';
import '../../shell/shell.css';

/** The keyboard shortcuts of the list and of the editor's commands. */
export const Keys = ({ commands }: { commands: readonly EditorCommand[] }) => (
  <>
    <KeyTable title="In the panel" lines={listKeys} />
    <KeyTable title="In the editor" lines={keyHelp(commands)} />
  </>
);

const KeyTable = ({ title, lines }: { title: string; lines: readonly KeyHelp[] }) => (
  <section className="help-topic">
    <h2>{title}</h2>
    <dl className="help-keys">
      {lines.map(({ title, keys }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            {keys.map((key, index) => (
              <span key={key}>
                {index > 0 ? ' or ' : null}
                <kbd>{key}</kbd>
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

interface EditorExampleProps {
  /** For the accessible name. */
  title: string;
  text: string;
  /** Custom statuses besides the built-in ones. */
  statuses: readonly Status[] | undefined;
  provider: Provider;
}

/** An example in an editor. Edits are not saved. */
export function Example({ title, text, statuses, provider }: EditorExampleProps) {
  const view = useRef<EditorView>(undefined);
  const [changed, setChanged] = useState(false);
  const extensions = useMemo(
    () => [
      checklistEditor({
        ...{
          label: `Example: ${title}`,
          editable: true,
          provider,
          placeholder: text,
          statuses: statusRegistry(statuses),
        },
        save: () => undefined,
      }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) setChanged(state.doc.toString() !== text);
      }),
    ],
    [title, text, statuses, provider],
  );
  const onView = useCallback((made: EditorView | undefined) => {
    view.current = made;
  }, []);
  const again = () => {
    const { current } = view;
    current?.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } });
    current?.focus();
  };
  return (
    <div className="help-example">
      <TextEditor text={text} extensions={extensions} onView={onView} />
      {changed ? (
        <Button appearance="subtle" spacing="compact" onClick={again}>
          Reset example
        </Button>
      ) : null}
    </div>
  );
}

/** Release notes, newest first. */
function WhatsNew() {
  useMarkNewsSeen();
  return news.map(({ id, version, items }) => (
    <section key={id} className="help-topic">
      <h2>{`Version ${version}`}</h2>
      <Entries entries={items} />
    </section>
  ));
}

const parts = {
  guide: 'Writing',
  keys: 'Keys',
  search: 'Search',
  workflow: 'Workflow rules',
  news: 'What’s new',
} as const;
type HelpPart = keyof typeof parts;

/** The commands common to all editors. */
const everyEditors = (): readonly EditorCommand[] =>
  EditorState.create({
    extensions: checklistEditor({ label: '', editable: true, placeholder: '', save: () => undefined }),
  }).facet(editorCommands);

interface Props {
  /** Commands of the editor from which help was opened. */
  commands?: readonly EditorCommand[] | undefined;
}

/** Guide to the notation, keyboard shortcuts, search, workflow rules and release notes. */
export function Help({ commands }: Props) {
  const unseen = useUnseenNews();
  const [part, setPart] = useState<HelpPart>('guide');
  const [looked, setLooked] = useState(false);
  const show = (next: HelpPart) => {
    setPart(next);
    if (next === 'news') setLooked(true);
  };
  const allCommands = useMemo(() => commands ?? everyEditors(), [commands]);
  const options = (Object.keys(parts) as HelpPart[]).map(value => ({
    value,
    words: (
      <>
        {parts[value]} {value === 'news' && unseen && !looked ? <span className="help-new">New</span> : null}
      </>
    ),
  }));
  return (
    <>
      <Segmented label="Show" options={options} chosen={part} onChoose={show} />
      {part === 'guide' ? <Guide /> : null}
      {part === 'keys' ? <Keys commands={allCommands} /> : null}
      {part === 'search' ? <SearchHelp /> : null}
      {part === 'workflow' ? <WorkflowHelp /> : null}
      {part === 'news' ? <WhatsNew /> : null}
    </>
  );
}

function Guide() {
  const services = useServices();
  const [provider] = useState(() => createProvider(services));
  return (
    <>
      <p className="help-intro">
        A checklist is text, one item per line. Try it in the examples: they work like the editor, and nothing you type
        there is saved.
      </p>
      {guide.map(({ id, title, words, example, statuses }) => (
        <section key={id} className="help-topic">
          <h2>{title}</h2>
          <p>{words}</p>
          <Example title={title} text={example} statuses={statuses} provider={provider} />
        </section>
      ))}
    </>
  );
}

/** The link back, by the frame's surface. */
function backFrom(surface: Surface): { to: string; words: string } {
  switch (surface) {
    case 'admin':
      return { to: '/admin', words: 'Back to settings' };
    case 'project-admin':
      return { to: '/project', words: 'Back to settings' };
    case 'page':
      return { to: '/assigned-items', words: 'Back to assigned items' };
    case 'dialog':
      return { to: '/templates', words: 'Back to templates' };
    default:
      return { to: '/checklist', words: 'Back to checklist' };
  }
}

/** The guide as a screen. */
export function HelpScreen() {
  const { surface } = useHostContext();
  const { to, words } = backFrom(surface);
  return (
    <main className="help">
      <PageTitle title="Help">
        <Back to={to}>{words}</Back>
      </PageTitle>
      <Help />
    </main>
  );
}

/** The guide as a modal dialog over a screen. */
export function HelpDialog({ view, onClose }: HelpDialogProps) {
  const { ref, close, onCancel } = useModal(onClose);
  return (
    <dialog ref={ref} className="help-dialog" aria-labelledby="help-heading" onCancel={onCancel}>
      <div className="help">
        <PageTitle title="Help" id="help-heading">
          <Button appearance="subtle" onClick={close}>
            Close help
          </Button>
        </PageTitle>
        <Help commands={view?.state.facet(editorCommands)} />
      </div>
    </dialog>
  );
}
