import Heading from '@atlaskit/heading';
import { refusals, storage } from '../../domain/messages.ts';
import { useHostContext, useUser } from '../app/hooks.ts';
import { Message } from '../parts/message.tsx';
import { StatusesSection } from '../statuses/section.tsx';
import { CenterSection } from './center.tsx';
import { HoldersSection } from './holders.tsx';
import { TemplatesSection } from './more.tsx';
import './settings.css';

/** The settings of a project, for its administrators and the site's. */
export function ProjectScreen() {
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
