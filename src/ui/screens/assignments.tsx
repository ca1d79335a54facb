import { Back } from '../parts/back.tsx';
import { Screen } from '../parts/screen.tsx';

export default function Assignments() {
  return (
    <Screen title="Template assignments">
      Here you will choose which templates new issues start with.
      <Back to="/templates">All templates</Back>
    </Screen>
  );
}
