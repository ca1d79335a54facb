import { BackToChecklist } from '../parts/back.tsx';
import { Screen } from '../parts/screen.tsx';

export default function SaveTemplate() {
  return (
    <Screen title="Save as template">
      Here you will save the checklist of this issue as a template.
      <BackToChecklist />
    </Screen>
  );
}
