import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import { refusals } from '../../domain/messages.ts';
import { useBridge, useGo, useHostContext, useUser } from '../app/hooks.ts';
import { Message } from '../parts/message.tsx';
import { TemplateManager } from './manager.tsx';
import './templates.css';

/** The template manager, as a dialog or a page; `create` opens it with a new template. */
export function TemplatesScreen({ create = false }: { create?: boolean }) {
  const bridge = useBridge();
  const go = useGo();
  const { surface, projectId } = useHostContext();
  const { canImportTemplate, canManageTemplates, isAdmin } = useUser();
  const may = projectId === undefined ? isAdmin : canImportTemplate;
  return (
    <main className="templates">
      <header className="templates-title">
        <Heading as="h1" size="small">
          {projectId === undefined ? 'Templates of the site' : 'Templates'}
        </Heading>
        <div className="form-buttons">
          {canManageTemplates ? (
            <Button appearance="subtle" onClick={() => go('/templates/assignments')}>
              Template assignments
            </Button>
          ) : null}
          {surface === 'dialog' ? (
            <Button appearance="subtle" onClick={() => bridge.closeDialog()}>
              Close
            </Button>
          ) : null}
        </div>
      </header>
      {may ? <TemplateManager create={create} /> : <Message appearance="warning">{refusals.permission}</Message>}
    </main>
  );
}
