import { Screen } from '../parts/screen.tsx';

export default function Hierarchy() {
  return (
    <Screen title="Smart hierarchy">
      Here you will see the checklists of an issue and of the issues below it together.
    </Screen>
  );
}
