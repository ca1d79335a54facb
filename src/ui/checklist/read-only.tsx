import { refusals } from '../../domain/messages.ts';
import { useHostContext, useSession, useUser } from '../shell/services/services.ts';

/** Why nothing can be changed here, for those who might expect to. Customers in the portal only look, everywhere. */
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
