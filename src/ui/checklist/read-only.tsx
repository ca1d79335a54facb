import { refusals } from '../../domain/messages.ts';
import { useHostContext, useSession, useUser } from '../shell/services/services.ts';

/** Why the checklist is read-only. Not for anonymous users and portal customers, for whom every checklist is. */
export default function ReadOnly() {
  const { isAnonymous, canChangeItemStatuses, canDeleteChecklistItems } = useUser();
  const { surface } = useHostContext();
  const isLicensed = useSession().payload?.settings.licensed ?? true;
  if (isAnonymous || canChangeItemStatuses || canDeleteChecklistItems || surface === 'portal') return null;
  return (
    <p className="check-empty">
      <strong>Read only.</strong> <span>{isLicensed ? refusals.permission : refusals.unlicensed}</span>
    </p>
  );
}
