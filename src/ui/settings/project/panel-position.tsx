import { Check } from '../../kit/form/form.tsx';
import { Answered, Section } from '../../kit/section.tsx';
import { useProjectSettings } from '../use-settings.ts';

/** Where a project's issues show the panel. */
export function CenterSection({ projectId }: { projectId: string }) {
  const settings = useProjectSettings(projectId);
  return (
    <Section title="Panel position">
      <Answered of={settings}>
        {({ showInCenter }) => (
          <Check
            checked={showInCenter}
            hint="Otherwise it stands at the issue’s side."
            onChange={now => settings.change(now)}
          >
            Show checklists below the description of an issue
          </Check>
        )}
      </Answered>
    </Section>
  );
}
