import Heading from '@atlaskit/heading';
import type { Surface } from '../../domain/pages.ts';
import { Back } from '../shell/navigation/back-button.tsx';
import { useHostContext } from '../shell/services/services.ts';
import { Help } from './help.tsx';

/** The link back, by the frame's surface. */
function backFrom(surface: Surface): { to: string; words: string } {
  switch (surface) {
    case 'admin':
      return { to: '/admin', words: 'Back to the settings' };
    case 'project-admin':
      return { to: '/project', words: 'Back to the settings' };
    case 'page':
      return { to: '/assigned-items', words: 'Back to the items' };
    case 'dialog':
      return { to: '/templates', words: 'Back to the templates' };
    default:
      return { to: '/checklist', words: 'Back to the checklist' };
  }
}

/** The guide as a screen. */
export default function HelpScreen() {
  const { surface } = useHostContext();
  const { to, words } = backFrom(surface);
  return (
    <main className="help">
      <header className="help-title">
        <Heading as="h1" size="small">
          Help
        </Heading>
        <Back to={to}>{words}</Back>
      </header>
      <Help />
    </main>
  );
}
