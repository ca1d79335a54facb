import { refusals } from '../../domain/messages.ts';
import { useUser } from '../app/user.tsx';
import { Message } from '../parts/message.tsx';
import { Screen } from '../parts/screen.tsx';

/** For site administrators. */
export default function Admin() {
  const { isAdmin } = useUser();
  return (
    <Screen title="Site settings">
      {isAdmin ? (
        'Here you will manage statuses, global templates and permissions for the whole site.'
      ) : (
        <Message appearance="warning">{refusals.permission}</Message>
      )}
    </Screen>
  );
}
