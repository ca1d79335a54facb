import { Missing } from '../parts/state.tsx';
import { AdminPage } from '../screens/admin.tsx';
import { Apps } from '../screens/apps.tsx';
import { AutomationScreen } from '../screens/automation.tsx';
import { Board, IssueTable } from '../screens/board.tsx';
import { Dashboard } from '../screens/dashboard.tsx';
import { FaultsScreen } from '../screens/faults.tsx';
import { FullPage } from '../screens/full-page.tsx';
import { Home } from '../screens/home.tsx';
import { IssueScreen } from '../screens/issue.tsx';
import { OutboxScreen } from '../screens/outbox.tsx';
import { PersonScreen } from '../screens/person.tsx';
import { Phone } from '../screens/phone.tsx';
import { Portal } from '../screens/portal.tsx';
import { QuotaScreen } from '../screens/quota.tsx';
import { Settings } from '../screens/settings.tsx';
import { WorkflowScreen } from '../screens/workflow.tsx';
import type { Route } from './route.ts';
import { isCustomer, useSite } from './site.ts';

export function Screen({ route }: { route: Route }) {
  const { user } = useSite();
  switch (route.screen) {
    case 'home':
      return <Home />;
    case 'apps':
      return <Apps />;
    case 'faults':
      return <FaultsScreen />;
    case 'quota':
      return <QuotaScreen />;
    case 'outbox':
      return <OutboxScreen />;
    case 'automation':
      return <AutomationScreen />;
    case 'issue':
      return isCustomer(user) ? <Portal issueKey={route.issueKey} /> : <IssueScreen issueKey={route.issueKey} />;
    case 'portal':
      return <Portal issueKey={route.issueKey} />;
    case 'mobile':
      return <Phone issueKey={route.issueKey} />;
    case 'dashboard':
      return <Dashboard />;
    case 'board':
      return <Board projectKey={route.projectKey} />;
    case 'issues':
      return <IssueTable projectKey={route.projectKey} />;
    case 'workflow':
      return <WorkflowScreen projectKey={route.projectKey} />;
    case 'settings':
      return <Settings {...route} />;
    case 'page':
      return <FullPage {...route} />;
    case 'admin':
      return <AdminPage moduleKey={route.moduleKey} about={route.about} />;
    case 'person':
      return <PersonScreen accountId={route.accountId} />;
    case 'missing':
      return <Missing />;
  }
}
