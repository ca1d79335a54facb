import Heading from '@atlaskit/heading';
import { refusals, storage } from '../../../domain/messages.ts';
import { Message } from '../../kit/message.tsx';
import { useHostContext, useUser } from '../../shell/hooks.ts';
import { TemplatesSection } from '../related-links.tsx';
import { StatusesSection } from '../statuses/statuses-section.tsx';
import { CenterSection } from './panel-position.tsx';
import { HoldersSection } from './permission-holders.tsx';
import '../settings.css';

/** The settings of a project, for its administrators and the site's. */
export default function ProjectSettingsScreen() {
  const { canManageTemplates } = useUser();
  const { projectId } = useHostContext();
  return (
    <main className="settings">
      <Heading as="h1" size="medium">
        Project settings
      </Heading>
      {!canManageTemplates ? (
        <Message appearance="warning">{refusals.projectAdmin}</Message>
      ) : projectId === undefined ? (
        <Message appearance="error">{storage.issueNotFound}</Message>
      ) : (
        <>
          <StatusesSection projectId={projectId} />
          <TemplatesSection />
          <CenterSection projectId={projectId} />
          <HoldersSection projectId={projectId} />
        </>
      )}
    </main>
  );
}
