import Button from '@atlaskit/button/new';
import { useGo } from './navigation.ts';

/** Navigates to the screen that this one was opened from. */
export function Back({ to, children }: { to: string; children: string }) {
  const go = useGo();
  return (
    <Button appearance="subtle" onClick={() => go(to)}>
      {children}
    </Button>
  );
}

/** For screens opened from the issue panel. */
export const BackToChecklist = () => <Back to="/checklist">Back to checklist</Back>;
