import { addonPermissions, permissionKey } from '../../../domain/permissions.ts';
import { unknownPerson } from '../../../domain/person.ts';
import { QueryResult, Section } from '../../kit/section.tsx';
import { usePeople } from '../../model/people.ts';
import { Tip } from '../../shell/tip.tsx';
import { useHolders } from '../use-settings.ts';

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
    <Section title="Who has which permission here">
      <QueryResult of={holders}>
        {all => (
          <dl className="settings-holders">
            {all.map(({ permission, accounts, more }) => (
              <div key={permission}>
                <dt>{labels[permission] ?? permission}</dt>
                <dd>
                  {accounts.length === 0
                    ? 'Nobody'
                    : accounts.map(id => people.get(id)?.name ?? unknownPerson).join(', ')}
                  {more ? ' and more' : ''}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </QueryResult>
      <Tip name="permission scheme">Permissions are granted in the project’s permission scheme, or to its roles.</Tip>
    </Section>
  );
}
