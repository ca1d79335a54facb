import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import { refusals, storage, settings as texts } from '../../../domain/messages.ts';
import { Check } from '../../kit/form/form.tsx';
import { Message } from '../../kit/message.tsx';
import { QueryResult, Section } from '../../kit/section.tsx';
import { useBridge, useHostContext, useUser } from '../../shell/services/services.ts';
import { TemplatesSection } from '../related-links.tsx';
import { StatusesSection } from '../statuses/statuses-section.tsx';
import { useProjectSettings } from '../use-settings.ts';
import { HoldersSection } from './permission-holders.tsx';
import '../settings.css';

/** The panel's position on a project's issues. */
export function CenterSection({ projectId }: { projectId: string }) {
  const settings = useProjectSettings(projectId);
  const bridge = useBridge();
  return (
    <Section title="Panel position">
      <QueryResult of={settings}>
        {({ showInCenter }) => (
          <>
            <Check
              checked={showInCenter}
              hint="Otherwise it stands at the issue’s side."
              onChange={now => settings.change(now)}
            >
              Show checklists below the description of an issue
            </Check>
            <p role="status">{settings.isPinRefused ? texts.pinRefused : settings.isMoved ? texts.moved : null}</p>
            {settings.isMoved ? (
              <div className="form-buttons">
                <Button onClick={() => bridge.reload()}>Reload page</Button>
              </div>
            ) : null}
          </>
        )}
      </QueryResult>
    </Section>
  );
}

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
