import { QueryResult } from '../../kit/content-state.tsx';
import { Check, Section } from '../../kit/form/form.tsx';
import { useSiteSettings } from '../use-settings.ts';

/** The permissions of the app, by what they permit. */
const columns = ['Add items', 'Change statuses', 'Delete items', 'Manage', 'Administer project'] as const;

const rows: readonly (readonly [string, readonly boolean[]])[] = [
  ['Add an item', [true, false, false, true, false]],
  ['Set a status', [false, true, false, true, false]],
  ['Delete an item, clear', [false, false, true, true, false]],
  ['Edit as text, reorder, assign, convert, details, mandatory', [false, false, false, true, false]],
  ['Import a template, save as a template', [true, false, false, true, true]],
  ['Write, change and delete templates and statuses', [false, false, false, false, true]],
];

/** The permissions as a table: actions by permissions. */
export const PermissionMatrix = () => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard.
  <section className="settings-table" aria-label="Who can do what" tabIndex={0}>
    <table>
      <thead>
        <tr>
          <td />
          {columns.map(column => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, may]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            {columns.map((column, index) => (
              <td key={column}>{may[index] ? 'Yes' : <span className="settings-no">No</span>}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

/** The two permission switches with their explanations. */
export function PermissionsSection() {
  const settings = useSiteSettings();
  return (
    <Section title="Permissions">
      <QueryResult of={settings}>
        {({ managePermissions, viewPermissions }) => (
          <>
            <Check
              checked={managePermissions}
              hint="When off, anyone who can edit an issue can change its checklist."
              onChange={now => settings.change({ managePermissions: now })}
            >
              Use the app’s own permissions
            </Check>
            <Check
              checked={viewPermissions}
              hint="When off, anyone who can see an issue can see its checklist."
              onChange={now => settings.change({ viewPermissions: now })}
            >
              Show checklists only to people with one of these permissions
            </Check>
            <p className="settings-note">
              This hides the app’s screens. The checklist is also stored with the issue, where anyone who can see the
              issue can read it by other means.
            </p>
          </>
        )}
      </QueryResult>
      <PermissionMatrix />
    </Section>
  );
}
