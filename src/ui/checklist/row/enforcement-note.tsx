import { useEffect, useSyncExternalStore } from 'react';
import { loadEnforcement } from '../../../client/enforcement/load.ts';
import { createEnforcementStore, type Enforcement } from '../../../client/enforcement/store.ts';
import { enforcement as words } from '../../../domain/messages.ts';
import { workflowsPath } from '../../../domain/pages.ts';
import type { Enforced } from '../../../text/header/enforced.ts';
import { TrackerLink } from '../../shell/navigation/links.tsx';
import { useBridge, useHostContext, useServices, useUser } from '../../shell/services/services.ts';
import { useFeature } from '../../shell/session-gate.tsx';
import '../checklist.css';
import '../bar.css';

interface Props {
  issueId: string;
  /** Needed in a dialog, which is not told the project. */
  issueKey?: string;
  about: Enforced;
}

/** Says whether the site enforces what was set, and to administrators how they change that. */
export default function EnforcementNote(props: Props) {
  return useFeature('enforcementNotes') ? <Note {...props} /> : null;
}

function Note({ issueId, issueKey, about }: Props) {
  const { graphql, bridge, once } = useServices();
  const context = useHostContext();
  const projectKey = context.projectKey ?? issueKey?.replace(/-\d+$/, '');
  const store = once(createEnforcementStore);
  const enforcement = useSyncExternalStore(store.subscribe, store.get).get(issueId);
  useEffect(() => void loadEnforcement(store, { graphql, bridge }, issueId), [store, graphql, bridge, issueId]);
  return (
    <span role="status" className="check-enforcement" data-about={about}>
      {enforcement === undefined ? (
        words.loading
      ) : about === 'customers' ? (
        <Customers known={enforcement} projectKey={projectKey} />
      ) : about === 'gates' ? (
        <Rule what="gates" isChecked={enforcement.gates} projectKey={projectKey} />
      ) : (
        <Rule what="mandatory items" isChecked={enforcement.mandatory} projectKey={projectKey} />
      )}
    </span>
  );
}

interface RuleProps {
  what: Parameters<typeof words.rule>[0];
  isChecked: boolean | null;
  projectKey: string | undefined;
}

function Rule({ what, isChecked, projectKey }: RuleProps) {
  const { canManageTemplates: isAdministrator } = useUser();
  return (
    <>
      {words.rule(what, isChecked)}{' '}
      {isChecked === true ? null : isAdministrator && projectKey !== undefined ? (
        <>
          <TrackerLink path={workflowsPath(projectKey)}>{words.setUp}</TrackerLink>. {words.setUpSteps}
        </>
      ) : (
        words.askForRule
      )}
    </>
  );
}

interface CustomersProps {
  known: Enforcement;
  projectKey: string | undefined;
}

function Customers({ known: { hasPortal, portal }, projectKey }: CustomersProps) {
  const { canManageTemplates: isAdministrator } = useUser();
  const bridge = useBridge();
  if (portal === 'ALL') return words.customersSeeAll;
  if (portal === 'SECTIONS') return hasPortal === null ? words.customersMaySee : words.customersSee;
  return (
    <>
      {words.customersSeeNothing}{' '}
      {isAdministrator && projectKey !== undefined ? (
        <button type="button" className="check-send" onClick={() => bridge.openSettings(projectKey)}>
          {words.openSettings}
        </button>
      ) : (
        words.askForPortal
      )}
    </>
  );
}
