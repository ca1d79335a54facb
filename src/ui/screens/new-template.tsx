import { Back } from '../parts/back.tsx';
import { Screen } from '../parts/screen.tsx';

export default function NewTemplate() {
  return (
    <Screen title="New template">
      Here you will write a template, from text or from an existing checklist.
      <Back to="/templates">All templates</Back>
    </Screen>
  );
}
