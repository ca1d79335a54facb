import { Check } from '../../kit/form/form.tsx';
import { Answered, Section } from '../../kit/section.tsx';
import { useSiteSettings } from '../use-settings.ts';

/** Whether what is used may be counted. */
export function AnalyticsSection() {
  const settings = useSiteSettings();
  return (
    <Section title="Usage statistics">
      <Answered of={settings}>
        {({ analytics }) => (
          <Check
            checked={analytics}
            hint="Only that something was done, such as “Checklist mutated”. Never what a checklist says, who did it, or on which issue."
            onChange={now => settings.change({ analytics: now })}
          >
            Count which functions are used
          </Check>
        )}
      </Answered>
    </Section>
  );
}
