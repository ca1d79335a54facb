import Button from '@atlaskit/button/new';
import { versionLabel } from '../../../domain/build/build.ts';
import { edition, editions } from '../../../domain/edition.ts';
import { differences, reviews } from '../../../domain/editions.ts';
import { links } from '../../../domain/links.ts';
import { Section } from '../../kit/form/form.tsx';
import { Upgrade } from '../../shell/navigation/links.tsx';
import { useGo } from '../../shell/navigation/navigation.ts';

/** Links to templates and their rules. */
export function TemplatesSection() {
  const go = useGo();
  return (
    <Section title="Templates">
      <div className="form-buttons">
        <Button onClick={() => go('/templates')}>Manage templates</Button>
        <Button onClick={() => go('/templates/assignments')}>Rules</Button>
      </div>
    </Section>
  );
}

/** Links to webhooks. */
export function AutomationSection() {
  const go = useGo();
  return (
    <Section title="Automation">
      <p className="page-note">Tell other programs about changes, and let them change checklists.</p>
      <div className="form-buttons">
        <Button onClick={() => go('/automation')}>Manage webhooks</Button>
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

/** The features of the next higher edition; nothing for the highest. */
export const UpgradeSection = () =>
  edition.id === 'free' ? (
    <Section title={`What ${editions.pro.name} adds`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard. */}
      <section className="page-table" aria-label="Compare editions" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">{edition.name}</th>
              <th scope="col">{editions.pro.name}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ what, free, pro }) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td>{free}</td>
                <td>{pro}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="page-note">Your checklists, templates and statuses stay when you upgrade.</p>
      <p className="page-note">
        <Upgrade>More with the Enterprise edition</Upgrade>
      </p>
    </Section>
  ) : null;
