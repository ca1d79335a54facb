import { Back } from '../parts/back.tsx';
import { Screen } from '../parts/screen.tsx';

export default function SaveTemplate() {
  return (
    <Screen title="Save as template">
      Here you will save the checklist of this issue as a template.
      <Back to="/checklist">Back to checklist</Back>
    </Screen>
  );
}
