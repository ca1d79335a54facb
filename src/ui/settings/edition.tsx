import { edition, editions } from '../../domain/edition.ts';
import { differences } from '../../domain/editions.ts';
import { Section } from '../kit/section.tsx';
import { Upgrade } from '../shell/upgrade-link.tsx';

/** What the next higher edition adds; nothing for the highest. */
export const UpgradeSection = () =>
  edition.id === 'free' ? (
    <Section title={`What ${editions.pro.name} adds`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard. */}
      <section className="settings-table" aria-label="The editions beside each other" tabIndex={0}>
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
      <p className="settings-note">A site that moves up keeps its checklists, templates and statuses.</p>
      <p className="settings-note">
        <Upgrade>More with the Enterprise edition</Upgrade>
      </p>
    </Section>
  ) : null;
