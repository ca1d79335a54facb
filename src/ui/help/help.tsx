import { EditorState } from '@codemirror/state';
import { useMemo, useState } from 'react';
import { checklistEditor, type EditorCommand, editorCommands } from '../../editor/index.ts';
import { Segmented } from '../kit/segmented.tsx';
import { news } from '../shell/help/news.ts';
import { useSeeNews, useUnseenNews } from '../shell/help/use-news.ts';
import { useServices } from '../shell/services/services.ts';
import { createProvider } from '../text-editor/completion-provider.ts';
import { Example } from './editor-example.tsx';
import { guide } from './guide.ts';
import { Keys } from './shortcuts.tsx';
import './help.css';
import '../shell/help/news-mark.css';

/** What came with each version, the latest first. */
export function WhatsNew() {
  useSeeNews();
  return news.map(({ id, version, items }) => (
    <section key={id} className="help-topic">
      <h2>{`Version ${version}`}</h2>
      <dl className="help-news">
        {items.map(({ title, words }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  ));
}

const parts = { guide: 'Writing', keys: 'Keys', news: 'What’s new' } as const;
export type HelpPart = keyof typeof parts;

/** The commands that every editor has. */
const everyEditors = (): readonly EditorCommand[] =>
  EditorState.create({
    extensions: checklistEditor({ label: '', editable: true, placeholder: '', save: () => undefined }),
  }).facet(editorCommands);

interface Props {
  /** Those of the editor that it was opened from. */
  commands?: readonly EditorCommand[] | undefined;
}

/** How a checklist is written, by which keys, and what is new. */
export function Help({ commands }: Props) {
  const unseen = useUnseenNews();
  const [part, setPart] = useState<HelpPart>('guide');
  const [looked, setLooked] = useState(false);
  const show = (next: HelpPart) => {
    setPart(next);
    if (next === 'news') setLooked(true);
  };
  const all = useMemo(() => commands ?? everyEditors(), [commands]);
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
      {part === 'guide' ? <Guide /> : part === 'keys' ? <Keys commands={all} /> : <WhatsNew />}
    </>
  );
}

function Guide() {
  const services = useServices();
  const [provider] = useState(() => createProvider(services));
  return (
    <>
      <p className="help-intro">
        A checklist is text, one row per line. Try it in the examples: they work as the editor does, and nothing you
        type there is kept.
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
