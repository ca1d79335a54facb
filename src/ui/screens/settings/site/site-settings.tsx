import { useRef, useState } from 'react';
import { refusals, settings as texts } from '../../../../domain/messages.ts';
import { Check, Failure, FormButtons, Section, Select } from '../../../kit/form/form.tsx';
import { Message } from '../../../kit/message.tsx';
import { InlineDialog } from '../../../kit/popover.tsx';
import { QueryResult } from '../../../kit/query-result.tsx';
import { useTemplateNames } from '../../../model/templates/use-templates.ts';
import { useGo } from '../../../shell/navigation/navigation.ts';
import { Page, Tip } from '../../../shell/plain-pages.tsx';
import { useUser } from '../../../shell/services/services.ts';
import { ApiTokensSection } from '../api-tokens/tokens-section.tsx';
import { AutomationSection, LinksSection, TemplatesSection, UpgradeSection } from '../related-links.tsx';
import { StatusesSection } from '../statuses/statuses-section.tsx';
import { RepairCopiesSection } from '../stored/repair-copies.tsx';
import { StoredDataSection } from '../stored/stored-data.tsx';
import { useSiteSettings } from '../use-settings.ts';
import { DataSection, InheritSection } from './data.tsx';
import '../settings.css';

/** Selects the text field that is synchronized with the checklist. */
export function TextFieldSection() {
  const settings = useSiteSettings();
  return (
    <Section title="Text field">
      <QueryResult of={settings}>
        {({ textField, textFieldId, fields }) => (
          <>
            <Select
              label="Copy checklists as text to"
              value={textFieldId ?? textField}
              options={[
                { value: 'OWN', words: 'The Checklist Text field of this app' },
                ...fields.filter(({ own }) => !own).map(({ id, name }) => ({ value: id, words: name })),
                { value: 'NONE', words: 'No field' },
              ]}
              hint="Changes that people or automation make to this field are added to the checklist."
              onChange={chosen =>
                settings.change(
                  chosen === 'OWN' || chosen === 'NONE'
                    ? { textField: chosen, textFieldId: null }
                    : { textField: 'CHOSEN', textFieldId: chosen },
                )
              }
            />
            <Failure of={settings.errors.textField} />
          </>
        )}
      </QueryResult>
    </Section>
  );
}

/** Selects the template that the getting-started page offers. */
export function FirstSection() {
  const settings = useSiteSettings();
  const templates = useTemplateNames(undefined, 'GLOBAL');
  return (
    <Section title="First steps">
      <QueryResult of={settings}>
        {({ gettingStartedTemplateId: chosen }) => (
          <QueryResult of={templates}>
            {names => (
              <>
                <Select
                  label="Try a checklist with"
                  // A deleted template is not selected any more.
                  value={names.some(({ id }) => id === chosen) ? (chosen ?? '') : ''}
                  options={[
                    { value: '', words: 'The demo checklist' },
                    ...names.map(({ id, name }) => ({ value: id, words: name })),
                  ]}
                  hint="The getting started page adds it to an issue."
                  onChange={id => settings.change({ gettingStartedTemplateId: id === '' ? null : id })}
                />
                <Failure of={settings.errors.gettingStartedTemplateId} />
              </>
            )}
          </QueryResult>
        )}
      </QueryResult>
    </Section>
  );
}

/** Whether people can apply the starter templates. */
export function StartersSection() {
  const settings = useSiteSettings();
  return (
    <Section title="Starter templates">
      <QueryResult of={settings}>
        {({ starterTemplates }) => (
          <>
            <Check
              checked={starterTemplates}
              hint="Ready-made checklists, such as “Definition of done”. When off, people see only your own templates."
              onChange={now => settings.change({ starterTemplates: now })}
            >
              Offer starter templates
            </Check>
            <Failure of={settings.errors.starterTemplates} />
          </>
        )}
      </QueryResult>
    </Section>
  );
}

/** Whether usage is tracked. */
export function AnalyticsSection() {
  const settings = useSiteSettings();
  return (
    <Section title="Usage statistics">
      <QueryResult of={settings}>
        {({ analytics }) => (
          <>
            <Check
              checked={analytics}
              hint="Counts actions, such as changes of checklists. Never includes checklist text, people or issues."
              onChange={now => settings.change({ analytics: now })}
            >
              Send usage statistics
            </Check>
            <Failure of={settings.errors.analytics} />
          </>
        )}
      </QueryResult>
    </Section>
  );
}

/** The settings of the whole site, for its administrators. */
export default function SiteSettingsScreen() {
  const { isAdmin } = useUser();
  const go = useGo();
  return (
    <Page title="Site settings">
      {isAdmin ? (
        <>
          <Tip name="first steps">
            New here? Create your first checklist in three steps.{' '}
            <button type="button" onClick={() => go('/post-install')}>
              Get started
            </button>
          </Tip>
          <StatusesSection projectId={undefined} />
          <TemplatesSection />
          <StartersSection />
          <FirstSection />
          <PermissionsSection />
          <TextFieldSection />
          <AutomationSection />
          <AnalyticsSection />
          <ApiTokensSection />
          <RepairCopiesSection projectId={undefined} />
          <StoredDataSection projectId={undefined} />
          <DataSection />
          <InheritSection />
          <UpgradeSection />
          <LinksSection />
        </>
      ) : (
        <Message appearance="warning">{refusals.permission}</Message>
      )}
    </Page>
  );
}

/** The permissions of the app, by what they permit. */
const columns = ['Add items', 'Change statuses', 'Delete items', 'Manage', 'Administer project'] as const;

const rows: readonly (readonly [string, readonly boolean[]])[] = [
  ['Add an item', [true, false, false, true, false]],
  ['Set a status', [false, true, false, true, false]],
  ['Delete an item, clear', [false, false, true, true, false]],
  ['Edit as text, reorder, assign, convert, details, mandatory', [false, false, false, true, false]],
  ['Apply a template, save as a template', [true, false, false, true, true]],
  ['Write, change and delete templates and statuses', [false, false, false, false, true]],
];

/** The permissions as a table: actions by permissions. */
const PermissionMatrix = () => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard.
  <section className="page-table" aria-label="Who can do what" tabIndex={0}>
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

interface SwitchProps {
  label: string;
  hint: string;
  checked: boolean;
  /** Says who loses access when it is turned on or off; missing if that takes access from no user. */
  losing: { on?: string; off?: string };
  onChange(checked: boolean): void;
}

/** A switch of permissions. Says who loses access before it does so. */
function PermissionSwitch({ label, hint, checked, losing, onChange }: SwitchProps) {
  const [asks, setAsks] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const text = checked ? losing.off : losing.on;
  const close = () => {
    setAsks(false);
    box.current?.querySelector('input')?.focus();
  };
  return (
    <div ref={box} className="settings-switch">
      <Check checked={checked} hint={hint} onChange={now => (text === undefined ? onChange(now) : setAsks(true))}>
        {label}
      </Check>
      {asks ? (
        <InlineDialog className="settings-question" text={`${text} ${texts.holders}`} onClose={close}>
          <FormButtons
            save={checked ? 'Turn off' : 'Turn on'}
            onSave={() => {
              close();
              onChange(!checked);
            }}
            onCancel={close}
          />
        </InlineDialog>
      ) : null}
    </div>
  );
}

/** The two permission switches with their explanations. */
function PermissionsSection() {
  const settings = useSiteSettings();
  return (
    <Section title="Permissions">
      <QueryResult of={settings}>
        {({ managePermissions, viewPermissions }) => (
          <>
            <PermissionSwitch
              label="Use the app’s own permissions"
              hint="When off, anyone who can edit an issue can change its checklist."
              checked={managePermissions}
              losing={{ on: texts.losesByOwn, off: texts.losesByOwnOff }}
              onChange={now => settings.change({ managePermissions: now })}
            />
            <Failure of={settings.errors.managePermissions} />
            <PermissionSwitch
              label="Show checklists only to people with one of these permissions"
              hint="When off, anyone who can see an issue can see its checklist."
              checked={viewPermissions}
              losing={{ on: texts.losesByView }}
              onChange={now => settings.change({ viewPermissions: now })}
            />
            <Failure of={settings.errors.viewPermissions} />
            <p className="page-note">
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
