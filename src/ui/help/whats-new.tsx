import { news } from '../shell/help/news.ts';
import { useSeeNews } from '../shell/help/use-news.ts';

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
