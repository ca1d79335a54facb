import { Check } from '../../kit/form/form.tsx';
import { Answered, Section } from '../../kit/section.tsx';
import { useSiteSettings } from '../use-settings.ts';
import { PermissionMatrix } from './permission-matrix.tsx';

/** The two switches, and what they mean. */
export function PermissionsSection() {
  const settings = useSiteSettings();
  return (
    <Section title="Permissions">
      <Answered of={settings}>
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
      </Answered>
      <PermissionMatrix />
    </Section>
  );
}
