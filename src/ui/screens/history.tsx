import { BackToChecklist } from '../parts/back.tsx';
import { Screen } from '../parts/screen.tsx';

export default function History() {
  return (
    <Screen title="History">
      Here you will see who changed this checklist, and when.
      <BackToChecklist />
    </Screen>
  );
}
