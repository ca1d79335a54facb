import { type EditorCommand, keyTexts } from '../../editor/index.ts';
import { listKeys } from '../checklist/list/list-shortcuts.ts';

interface Line {
  what: string;
  /** Each is another way. */
  ways: readonly (readonly string[])[];
}

/** The keys of the list, and those of an editor as its commands have them. */
export function Keys({ commands }: { commands: readonly EditorCommand[] }) {
  const editor = commands.flatMap((command): Line[] => {
    const ways = keyTexts(command).map(text => [text]);
    return ways.length > 0 ? [{ what: command.title, ways }] : [];
  });
  return (
    <>
      <KeyTable
        title="In the list of an issue"
        lines={listKeys.map(([together, what]) => ({ what, ways: [together] }))}
      />
      <KeyTable title="In the editor" lines={editor} />
    </>
  );
}

const KeyTable = ({ title, lines }: { title: string; lines: readonly Line[] }) => (
  <section className="help-topic">
    <h2>{title}</h2>
    <dl className="help-keys">
      {lines.map(({ what, ways }) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>
            {ways.map((together, index) => (
              <span key={together.join(' ')}>
                {index > 0 ? ' or ' : null}
                {together.map(key => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
