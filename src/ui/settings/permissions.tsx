import { Check } from '../parts/form.tsx';
import { PermissionMatrix } from './matrix.tsx';
import { Answered, Section } from './section.tsx';
import { useSiteSettings } from './use-settings.ts';

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
              hint="Otherwise everybody who may edit an issue may do everything with its checklist."
              onChange={now => settings.change({ managePermissions: now })}
            >
              Use the app’s own permissions
            </Check>
            <Check
              checked={viewPermissions}
              hint="Otherwise everybody who sees an issue sees its checklist."
              onChange={now => settings.change({ viewPermissions: now })}
            >
              Show checklists only to those who have one of these permissions
            </Check>
            <p className="settings-note">
              This hides our screens. The checklist is also stored with the issue, where whoever may see the issue can
              read it by other means.
            </p>
          </>
        )}
      </Answered>
      <PermissionMatrix />
    </Section>
  );
}
