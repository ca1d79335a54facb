/** Names with a sentence on each. */
export const Entries = ({ entries }: { entries: readonly { title: string; words: string }[] }) => (
  <dl className="help-news">
    {entries.map(({ title, words }) => (
      <div key={title}>
        <dt>{title}</dt>
        <dd>{words}</dd>
      </div>
    ))}
  </dl>
);
