import { refusals } from '../../domain/messages.ts';
import { useUser } from '../app/user.tsx';
import { Message } from '../parts/message.tsx';
import { Screen } from '../parts/screen.tsx';

/** For administrators of the project, and of the site. */
export default function Project() {
  const { isAdmin, isProjectAdmin } = useUser();
  return (
    <Screen title="Project settings">
      {isAdmin || isProjectAdmin ? (
        'Here you will manage the templates and statuses of this project.'
      ) : (
        <Message appearance="warning">{refusals.projectAdmin}</Message>
      )}
    </Screen>
  );
}
