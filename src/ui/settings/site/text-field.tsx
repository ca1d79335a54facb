import { Select } from '../../kit/form/form.tsx';
import { Answered, Section } from '../../kit/section.tsx';
import { useSiteSettings } from '../use-settings.ts';

/** Which text field is kept equal to the checklist. */
export function TextFieldSection() {
  const settings = useSiteSettings();
  return (
    <Section title="Text field">
      <Answered of={settings}>
        {({ textField, textFieldId, fields }) => (
          <Select
            label="Write checklists as text into"
            value={textFieldId ?? textField}
            options={[
              { value: 'OWN', words: 'The Checklist Text field of this app' },
              ...fields.filter(({ own }) => !own).map(({ id, name }) => ({ value: id, words: name })),
              { value: 'NONE', words: 'No field' },
            ]}
            hint="What people or automation write into that field comes into the checklist."
            onChange={chosen =>
              settings.change(
                chosen === 'OWN' || chosen === 'NONE'
                  ? { textField: chosen, textFieldId: null }
                  : { textField: 'CHOSEN', textFieldId: chosen },
              )
            }
          />
        )}
      </Answered>
    </Section>
  );
}
