import Button from '@atlaskit/button/new';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { addFirstChecklist, getGettingStarted } from '../../../client/admin/getting-started.ts';
import { TrackerError } from '../../../client/errors.ts';
import { edition } from '../../../domain/edition.ts';
import { fieldErrors } from '../../../domain/fields.ts';
import { failures, refusals, storage, successes } from '../../../domain/messages.ts';
import { issuePath } from '../../../domain/pages.ts';
import { TextInput } from '../../kit/form/form.tsx';
import { Message } from '../../kit/message.tsx';
import { QueryResult } from '../../kit/query-result.tsx';
import type { TemplateName } from '../../model/templates/use-templates.ts';
import { TrackerLink } from '../../shell/navigation/links.tsx';
import { useGo } from '../../shell/navigation/navigation.ts';
import { Page } from '../../shell/plain-pages.tsx';
import { useBridge, useGraphql, useUser } from '../../shell/services/services.ts';
import { LinksSection, UpgradeSection } from './related-links.tsx';
import './settings.css';

/** The first screen after installation: three steps to a checklist. */
export default function GettingStartedScreen() {
  const { isAdmin } = useUser();
  return (
    <Page title={`Get started with ${edition.name}`}>
      {isAdmin ? <Steps /> : <Message appearance="warning">{refusals.permission}</Message>}
    </Page>
  );
}

function Steps() {
  const graphql = useGraphql();
  const go = useGo();
  const started = useQuery({
    queryKey: ['getting started'],
    queryFn: async ({ signal }) => (await graphql.query(getGettingStarted, {}, signal)).gettingStarted,
    meta: { silent: true },
  });
  return (
    <>
      <QueryResult of={started}>
        {({ hasChecklist, hasTemplate, templateId, templateName }) => (
          <ol className="settings-steps">
            <Step title="Try a checklist" done={hasChecklist}>
              <p>Every issue has a checklist in its panel. Put one on an issue to see what it can do.</p>
              <TryChecklist
                template={
                  templateId === null || templateName === null ? undefined : { id: templateId, name: templateName }
                }
                onDone={() => void started.refetch()}
              />
            </Step>
            <Step title="Save recurring lists as a template" done={hasTemplate}>
              <p>A definition of done, a release, a first day: write it once and add it to any issue in two clicks.</p>
              <div className="form-buttons">
                <Button onClick={() => go('/templates/new')}>Write a template</Button>
                <Button onClick={() => go('/templates/assignments')}>Set up rules</Button>
              </div>
            </Step>
            <Step title="Decide who can do what" done={false}>
              <p>Anyone who can edit an issue can change its checklist, unless you choose otherwise.</p>
              <div className="form-buttons">
                <Button onClick={() => go('/admin')}>Open settings</Button>
              </div>
            </Step>
          </ol>
        )}
      </QueryResult>
      <UpgradeSection />
      <LinksSection />
    </>
  );
}

const Step = ({ title, done, children }: { title: string; done: boolean; children: ReactNode }) => (
  <li>
    <h2>
      {title} {done ? <span className="settings-done">Done</span> : null}
    </h2>
    {children}
  </li>
);

/** Adds the site's first template, or the demo checklist, to an issue that the user enters. */
function TryChecklist({ template, onDone }: { template: TemplateName | undefined; onDone(): void }) {
  const bridge = useBridge();
  const graphql = useGraphql();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  /** Retries of one request use one client id. */
  const [clientId, setClientId] = useState(() => crypto.randomUUID());
  const first = useMutation({
    mutationFn: (issueKey: string) =>
      addFirstChecklist(bridge, graphql, { issueKey, clientId, templateId: template?.id ?? null }),
    onSuccess: () => {
      setClientId(crypto.randomUUID());
      onDone();
    },
    onError: reason => {
      const missing = reason instanceof TrackerError && (reason.status === 404 || reason.status === 403);
      setError(missing ? storage.issueNotFound : failures.updateChecklist);
    },
    meta: { success: successes.updateChecklist, failure: failures.updateChecklist },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = typed.trim().toUpperCase();
    if (key === '') return setError(fieldErrors.REQUIRED);
    if (!first.isPending) first.mutate(key);
  };
  return (
    <form className="form" noValidate onSubmit={submit}>
      <TextInput
        label="Issue key"
        value={typed}
        error={error}
        hint="For example, ABC-1"
        onChange={now => {
          setTyped(now);
          setError(undefined);
          // Another issue is another request.
          setClientId(crypto.randomUUID());
        }}
      />
      <div className="form-buttons">
        <Button appearance="primary" type="submit" isLoading={first.isPending}>
          {template ? `Add “${template.name}”` : 'Add the demo checklist'}
        </Button>
        {first.isSuccess ? (
          <span role="status">
            Added to <TrackerLink path={issuePath(first.variables)}>{first.variables}</TrackerLink>.
          </span>
        ) : null}
      </div>
    </form>
  );
}
