import Button from '@atlaskit/button/new';
import { versionLabel } from '../../domain/build.ts';
import { edition } from '../../domain/edition.ts';
import { reviews } from '../../domain/editions.ts';
import { links } from '../../domain/links.ts';
import { Section } from '../kit/section.tsx';
import { useGo } from '../shell/navigation/navigation.ts';

/** Links to templates and their rules. */
export function TemplatesSection() {
  const go = useGo();
  return (
    <Section title="Templates">
      <div className="form-buttons">
        <Button onClick={() => go('/templates')}>Manage templates</Button>
        <Button onClick={() => go('/templates/assignments')}>Template assignments</Button>
      </div>
    </Section>
  );
}

const externalLinks = [
  ...reviews,
  { href: links.support, words: 'Contact support' },
  { href: links.survey, words: 'Give feedback' },
];

/** External links. */
export function LinksSection() {
  const go = useGo();
  return (
    <Section title={edition.name}>
      <p className="settings-edition">
        <img src={`${import.meta.env.BASE_URL}images/${edition.logo}`} alt="" width={24} height={24} />
        {versionLabel}
      </p>
      <div className="form-buttons">
        <Button onClick={() => go('/help')}>Help and what’s new</Button>
      </div>
      <ul className="settings-links">
        {externalLinks.map(({ href, words }) => (
          <li key={href}>
            <a href={href} target="_blank" rel="noreferrer">
              {words}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
