import { Screen } from '../parts/screen.tsx';

export default function AssignedItems() {
  return (
    <Screen title="Assigned checklist items">
      Here you will find the open checklist items that are assigned to you, across issues.
    </Screen>
  );
}
