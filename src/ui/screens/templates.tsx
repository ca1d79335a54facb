import ButtonGroup from '@atlaskit/button/button-group';
import Button from '@atlaskit/button/new';
import { useGo } from '../app/hooks.ts';
import { Screen } from '../parts/screen.tsx';

export default function Templates() {
  const go = useGo();
  return (
    <Screen title="Templates">
      Here you will find the checklist templates of this project and of the whole site.
      <ButtonGroup label="Templates">
        <Button onClick={() => go('/templates/new')}>New template</Button>
        <Button onClick={() => go('/templates/assignments')}>Template assignments</Button>
      </ButtonGroup>
    </Screen>
  );
}
