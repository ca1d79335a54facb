import Button from '@atlaskit/button/new';
import { refusals, shell, storage, settings as texts } from '../../../../domain/messages.ts';
import { addonPermissions, type PortalMode, permissionKey } from '../../../../domain/permissions.ts';
import { personName } from '../../../../domain/person.ts';
import { Check, Failure, Section, Select } from '../../../kit/form/form.tsx';
import { Message } from '../../../kit/message.tsx';
import { QueryResult } from '../../../kit/query-result.tsx';
import { usePeople } from '../../../model/people.tsx';
import { Page, Tip } from '../../../shell/plain-pages.tsx';
import { useBridge, useHostContext, useUser } from '../../../shell/services/services.ts';
import { AutomationSection, TemplatesSection } from '../related-links.tsx';
import { StatusesSection } from '../statuses/statuses-section.tsx';
import { RepairCopiesSection } from '../stored/repair-copies.tsx';
import { StoredDataSection } from '../stored/stored-data.tsx';
import { useHolders, useProjectSettings } from '../use-settings.ts';
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
              hint="When off, checklists show at the side of the issue."
              onChange={showInCenter => settings.change({ showInCenter })}
            >
              Show checklists below the description of an issue
            </Check>
            <Failure of={settings.errors.showInCenter} />
            <Failure of={settings.pinError} words={texts.pinFailed} />
            <p role="status">{settings.isPinRefused ? texts.pinRefused : settings.isMoved ? texts.moved : null}</p>
            {settings.pinError ? (
              <div className="form-buttons">
                <Button isLoading={settings.isPinning} onClick={settings.retryPin}>
                  {shell.retry}
                </Button>
              </div>
            ) : null}
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

const portalNames: Record<PortalMode, string> = {
  ALL: 'Whole checklists, as before',
  OFF: 'Nothing',
  SECTIONS: 'Sections visible to customers',
};

const portalHints: Record<PortalMode, string> = {
  ALL: 'Customers see every item of a request’s checklist with the names of people. They can’t change it. Kept from before this choice existed. Choose another option to change it.',
  OFF: 'Customers don’t see checklists.',
  SECTIONS:
    'Customers see sections with !customers in their header, under the title “Progress”, without names of people and history. On requests without such a section, they see nothing.',
};

const portalNote = 'This applies to the portal only. People who can see the issue can see its whole checklist.';

/**
 * The setting of the content that customers see in the portal. Only projects with a portal have it, so nothing shows
 * until the settings are loaded; if loading fails, the section shows.
 */
export function PortalSection({ projectId }: { projectId: string }) {
  const settings = useProjectSettings(projectId);
  if (settings.data ? !settings.data.service : !settings.isError) return null;
  return (
    <Section title="Customer portal">
      <QueryResult of={settings}>
        {({ portal, portalModes }) => (
          <>
            <Select<PortalMode>
              label="Customers see"
              value={portal}
              options={portalModes.map(value => ({ value, words: portalNames[value] }))}
              hint={`${portalHints[portal]} ${portalNote}`}
              onChange={now => settings.change({ portal: now })}
            />
            <Failure of={settings.errors.portal} />
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
    <Page title="Project settings">
      {!canManageTemplates ? (
        <Message appearance="warning">{refusals.projectAdmin}</Message>
      ) : projectId === undefined ? (
        <Message appearance="error">{storage.issueNotFound}</Message>
      ) : (
        <>
          <StatusesSection projectId={projectId} />
          <TemplatesSection />
          <CenterSection projectId={projectId} />
          <AutomationSection />
          <PortalSection projectId={projectId} />
          <HoldersSection projectId={projectId} />
          <RepairCopiesSection projectId={projectId} />
          <StoredDataSection projectId={projectId} />
        </>
      )}
    </Page>
  );
}

const labels: Readonly<Record<string, string>> = {
  [permissionKey(addonPermissions.addItems)]: 'Add items',
  [permissionKey(addonPermissions.setStatus)]: 'Change statuses',
  [permissionKey(addonPermissions.deleteItems)]: 'Delete items',
  [permissionKey(addonPermissions.manage)]: 'Manage checklists',
  [permissionKey(addonPermissions.view)]: 'View checklists',
  // Applies while the app's own permissions are off.
  EDIT_ISSUES: 'Edit issues',
  ADMINISTER_PROJECTS: 'Administer project',
};

/** Who holds which permission in a project. */
export function HoldersSection({ projectId }: { projectId: string }) {
  const holders = useHolders(projectId);
  const people = usePeople([...new Set(holders.data?.flatMap(({ accounts }) => accounts) ?? [])]);
  return (
    <Section title="Permissions in this project">
      <QueryResult of={holders}>
        {all => (
          <dl className="settings-holders">
            {all.map(({ permission, known, accounts, more }) => (
              <div key={permission}>
                <dt>{labels[permission] ?? permission}</dt>
                <dd>
                  {accounts.length > 0
                    ? accounts.map(id => personName(people.get(id))).join(', ')
                    : known
                      ? 'No one'
                      : 'Unknown: Jira denied the search'}
                  {more ? ' and more' : ''}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </QueryResult>
      <Tip name="permission scheme">
        Of the first 1,000 accounts of the site. To change them, edit the project’s permission scheme or the members of
        its roles.
      </Tip>
    </Section>
  );
}
