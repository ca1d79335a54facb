import Heading from '@atlaskit/heading';
import { refusals } from '../../../domain/messages.ts';
import { Message } from '../../kit/message.tsx';
import { useGo, useUser } from '../../shell/hooks.ts';
import { Tip } from '../../shell/tip.tsx';
import { UpgradeSection } from '../edition.tsx';
import { LinksSection, TemplatesSection } from '../related-links.tsx';
import { StatusesSection } from '../statuses/statuses-section.tsx';
import { AnalyticsSection } from './analytics.tsx';
import { DataSection } from './data-export.tsx';
import { FirstSection } from './getting-started-template.tsx';
import { InheritSection } from './inherit-free.tsx';
import { PermissionsSection } from './permissions.tsx';
import { TextFieldSection } from './text-field.tsx';
import '../settings.css';

/** The settings of the whole site, for its administrators. */
export default function SiteSettingsScreen() {
  const { isAdmin } = useUser();
  const go = useGo();
  return (
    <main className="settings">
      <Heading as="h1" size="medium">
        Site settings
      </Heading>
      {isAdmin ? (
        <>
          <Tip name="first steps">
            New here? Three steps lead to a first checklist.{' '}
            <button type="button" onClick={() => go('/post-install')}>
              Get started
            </button>
          </Tip>
          <StatusesSection projectId={undefined} />
          <TemplatesSection />
          <FirstSection />
          <PermissionsSection />
          <TextFieldSection />
          <AnalyticsSection />
          <DataSection />
          <InheritSection />
          <UpgradeSection />
          <LinksSection />
        </>
      ) : (
        <Message appearance="warning">{refusals.permission}</Message>
      )}
    </main>
  );
}
