import { Select } from '../../kit/form/form.tsx';
import { Answered, Section } from '../../kit/section.tsx';
import { useTemplateNames } from '../../model/templates/use-templates.ts';
import { useSiteSettings } from '../use-settings.ts';

/** Which template the first steps offer. */
export function FirstSection() {
  const settings = useSiteSettings();
  const templates = useTemplateNames(undefined, 'GLOBAL');
  return (
    <Section title="First steps">
      <Answered of={settings}>
        {({ gettingStartedTemplateId: chosen }) => (
          <Answered of={templates}>
            {names => (
              <Select
                label="Try a checklist with"
                // One that was deleted is chosen no more.
                value={names.some(({ id }) => id === chosen) ? (chosen ?? '') : ''}
                options={[
                  { value: '', words: 'The demo checklist' },
                  ...names.map(({ id, name }) => ({ value: id, words: name })),
                ]}
                hint="The page that leads to a first checklist adds it to an issue."
                onChange={id => settings.change({ gettingStartedTemplateId: id === '' ? null : id })}
              />
            )}
          </Answered>
        )}
      </Answered>
    </Section>
  );
}
