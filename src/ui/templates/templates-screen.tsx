import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import * as v from 'valibot';
import '../kit/sortable/sortable.css';
import './templates.css';
import { refusals } from '../../domain/messages.ts';
import { pages } from '../../domain/pages.ts';
import { readAs } from '../../domain/shape.ts';
import { Message } from '../kit/message.tsx';
import { useGo, useLeave, usePath } from '../shell/navigation/navigation.ts';
import { Back } from '../shell/plain-pages.tsx';
import { useBridge, useHostContext, useUser } from '../shell/services/services.ts';
import { ImportTemplates } from './import-templates.tsx';
import { TemplateManager } from './manager/template-manager.tsx';

/** The purpose of the dialog. */
const purposeShape = v.object({ purpose: v.picklist(['import', 'manage']) });

/**
 * The template manager, as a dialog or page, or with the form for a new template open; for an issue, the template
 * selection.
 */
export default function TemplatesScreen() {
  const create = usePath().startsWith('/templates/new');
  const bridge = useBridge();
  const go = useGo();
  const leave = useLeave();
  const { surface, projectId, issueId, issueKey, dialogData } = useHostContext();
  const { canImportTemplate, canManageTemplates, isAdmin } = useUser();
  const choosing =
    !create &&
    surface === 'dialog' &&
    readAs(purposeShape, dialogData)?.purpose === 'import' &&
    issueId !== undefined &&
    issueKey !== undefined
      ? { issueId, issueKey }
      : undefined;
  const may = projectId === undefined ? isAdmin : canImportTemplate;
  return (
    <main className="templates">
      <header className="templates-title">
        <Heading as="h1" size="small">
          {choosing ? 'Import template' : projectId === undefined ? 'Site templates' : 'Templates'}
        </Heading>
        <div className="form-buttons">
          {may && !choosing ? (
            <Button appearance="subtle" onClick={() => go(pages.templatesEditor.path)}>
              Smart templates editor
            </Button>
          ) : null}
          {canManageTemplates && !choosing ? (
            <Button appearance="subtle" onClick={() => go('/templates/assignments')}>
              Template assignments
            </Button>
          ) : null}
          {surface === 'admin' ? <Back to="/admin">Site settings</Back> : null}
          {surface === 'project-admin' ? <Back to={pages.project.path}>Project settings</Back> : null}
          {surface === 'dialog' ? (
            <Button appearance="subtle" onClick={() => leave(() => bridge.closeDialog())}>
              Close
            </Button>
          ) : null}
        </div>
      </header>
      {!may ? (
        <Message appearance="warning">{refusals.permission}</Message>
      ) : choosing ? (
        <ImportTemplates {...choosing} />
      ) : (
        <TemplateManager create={create} />
      )}
    </main>
  );
}
