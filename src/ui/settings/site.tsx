import Heading from '@atlaskit/heading';
import { refusals } from '../../domain/messages.ts';
import { useUser } from '../app/hooks.ts';
import { Message } from '../parts/message.tsx';
import { StatusesSection } from '../statuses/section.tsx';
import './settings.css';

/** The settings of the whole site, for its administrators. */
export function SiteScreen() {
  const { isAdmin } = useUser();
  return (
    <main className="settings">
      <Heading as="h1" size="medium">
        Site settings
      </Heading>
      {isAdmin ? (
        <StatusesSection projectId={undefined} />
      ) : (
        <Message appearance="warning">{refusals.permission}</Message>
      )}
    </main>
  );
}
