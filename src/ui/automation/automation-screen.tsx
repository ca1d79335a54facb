import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import AddIcon from '@atlaskit/icon/core/add';
import { useEffect, useRef, useState } from 'react';
import type { Webhook } from '../../client/admin/webhooks.ts';
import type { WebhookDirection } from '../../domain/automation/webhooks.ts';
import { failures, refusals } from '../../domain/messages.ts';
import { ErrorView, Loading } from '../kit/content-state.tsx';
import { Message } from '../kit/message.tsx';
import { useProjectNames } from '../model/projects.tsx';
import { useLeave } from '../shell/navigation/navigation.ts';
import { NewSecret } from '../shell/new-secret.tsx';
import { Back, Page } from '../shell/plain-pages.tsx';
import { useHostContext, useUser } from '../shell/services/services.ts';
import { useWebhooks } from './use-webhooks.ts';
import { WebhookEntry } from './webhook-entry.tsx';
import { WebhookForm } from './webhook-form.tsx';
import '../kit/sortable/sortable.css';
import './automation.css';

/** The webhooks of the site or of the current project, for their administrators. */
export default function AutomationScreen() {
  const { projectId } = useHostContext();
  const { isAdmin, canManageTemplates } = useUser();
  const may = projectId === undefined ? isAdmin : canManageTemplates;
  return (
    <Page title="Automation" back={<Back to={projectId === undefined ? '/admin' : '/project'}>Back to settings</Back>}>
      {may ? (
        <>
          <Webhooks projectId={projectId} />
          <Examples />
        </>
      ) : (
        <Message appearance="warning">{projectId === undefined ? refusals.permission : refusals.projectAdmin}</Message>
      )}
    </Page>
  );
}

/** The open form: for a new webhook, or for one by its id. */
type Open = { kind: 'new'; direction: WebhookDirection } | { kind: 'edit'; id: string } | undefined;

const lists: readonly { direction: WebhookDirection; title: string; about: string; none: string; add: string }[] = [
  {
    direction: 'OUTGOING',
    title: 'Outgoing webhooks',
    about: 'Tell another program about changes, such as a Jira automation rule.',
    none: 'No outgoing webhooks yet.',
    add: 'Add outgoing webhook',
  },
  {
    direction: 'INCOMING',
    title: 'Incoming webhooks',
    about: 'Let another program change checklists, such as a Jira automation rule.',
    none: 'No incoming webhooks yet.',
    add: 'Add incoming webhook',
  },
];

function Webhooks({ projectId }: { projectId: string | undefined }) {
  const { data: webhooks, create, update, remove, test, setEnabled, ...query } = useWebhooks(projectId);
  const [open, setOpen] = useState<Open>(undefined);
  /** A secret that was made here, and its webhook. */
  const [secret, setSecret] = useState<{ name: string; value: string } | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (open || opener.current === undefined) return;
    const button = box.current?.querySelector<HTMLElement>(`[data-opens="${CSS.escape(opener.current)}"]`);
    opener.current = undefined;
    (button ?? box.current)?.focus();
  }, [open]);
  const leave = useLeave();
  const show = (next: NonNullable<Open>) =>
    leave(() => {
      opener.current = next.kind === 'new' ? next.direction : next.id;
      setSecret(undefined);
      setOpen(next);
    });
  const close = () => setOpen(undefined);
  const ids = [...new Set(webhooks?.flatMap(({ projectIds }) => projectIds) ?? [])].sort();
  const { data: names } = useProjectNames(projectId === undefined ? ids : []);
  const projects = [...(names ?? [])].map(([id, name]) => ({ id, name }));
  const keep = (name: string) => (answer: { secret: string | null }) => {
    if (answer.secret !== null) setSecret({ name, value: answer.secret });
  };
  if (!webhooks) {
    if (!query.isError) return <Loading />;
    return <ErrorView title={failures.unknown} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  }
  const entry = (webhook: Webhook) =>
    open?.kind === 'edit' && open.id === webhook.id ? (
      <WebhookForm
        webhook={webhook}
        projectId={projectId}
        projects={projects}
        busy={update.isPending}
        onSave={values => update.mutateAsync({ id: webhook.id, ...values }).then(close)}
        onClose={close}
      />
    ) : (
      <WebhookEntry
        webhook={webhook}
        projects={projects}
        testing={test.isPending && test.variables === webhook.id}
        onEnable={enabled => setEnabled(webhook.id, enabled)}
        onEdit={() => show({ kind: 'edit', id: webhook.id })}
        onTest={() => test.mutate(webhook.id)}
        onNewSecret={() => update.mutate({ id: webhook.id, newSecret: true }, { onSuccess: keep(webhook.name) })}
        onDelete={() => remove.mutate(webhook.id, { onSuccess: () => box.current?.focus() })}
      />
    );
  return (
    <div ref={box} className="automation-lists" tabIndex={-1}>
      {secret ? (
        <NewSecret
          what="secret"
          label={`Secret of ${secret.name}`}
          value={secret.value}
          onDone={() => setSecret(undefined)}
        />
      ) : null}
      {lists.map(({ direction, title, about, none, add }) => {
        const shown = webhooks.filter(each => each.direction === direction);
        const isNew = open?.kind === 'new' && open.direction === direction;
        return (
          <section key={direction} className="automation-list" aria-label={title}>
            <div className="page-title">
              <Heading as="h2" size="small">
                {title}
              </Heading>
              <Button
                iconBefore={AddIcon}
                data-opens={direction}
                isDisabled={isNew}
                onClick={() => show({ kind: 'new', direction })}
              >
                {add}
              </Button>
            </div>
            <p className="page-note">{about}</p>
            {isNew ? (
              <WebhookForm
                direction={direction}
                projectId={projectId}
                projects={projects}
                busy={create.isPending}
                onSave={values =>
                  create.mutateAsync(values).then(answer => {
                    keep(values.name)(answer);
                    close();
                  })
                }
                onClose={close}
              />
            ) : null}
            {shown.length === 0 && !isNew ? <p className="page-note">{none}</p> : null}
            {shown.length > 0 ? (
              <ul className="automation-entries">
                {shown.map(webhook => (
                  <li key={webhook.id}>{entry(webhook)}</li>
                ))}
              </ul>
            ) : null}
          </section>
        );
      })}
    </div>
  );
}

const body = (values: Record<string, unknown>): string => JSON.stringify(values);
const issue = '{{issue.id}}';

/** Bodies of web requests, each for one action. */
const requests: readonly { wanted: string; json: string }[] = [
  {
    wanted: 'Add an item to a section',
    json: body({ action: 'addItems', issue, text: '- ! Call the customer', section: 'Questions' }),
  },
  { wanted: 'Apply a template', json: body({ action: 'applyTemplate', issue, template: 'Hot fix' }) },
  {
    wanted: 'Skip all items of a section',
    json: body({ action: 'setStatus', issue, status: 'Skipped', where: { section: 'Announcement' } }),
  },
  { wanted: 'Complete one item', json: body({ action: 'complete', issue, where: { text: 'Build passed' } }) },
  { wanted: 'Clear the checklist', json: body({ action: 'clear', issue }) },
];

/** Worked examples with Jira's automation. */
const Examples = () => (
  <section className="automation-examples" aria-label="Examples">
    <Heading as="h2" size="small">
      Examples with Jira automation
    </Heading>
    <details>
      <summary>Move an issue when its checklist is complete</summary>
      <ol>
        <li>
          In Jira, create a rule with the “Incoming webhook” trigger, for work items provided in the body. Copy its URL
          and secret.
        </li>
        <li>
          Here, add an outgoing webhook. Enter the URL as the address and the secret as the token for Jira automation,
          and choose the event “Checklist completed”.
        </li>
        <li>
          In the rule, add the “Transition work item” action. The rule can use values of the call as smart values:
        </li>
      </ol>
      <pre>{'{{webhookData.progress.percent}} {{webhookData.actor.accountId}}'}</pre>
    </details>
    <details>
      <summary>Change a checklist from a rule</summary>
      <ol>
        <li>Here, add an incoming webhook. Copy its address and secret.</li>
        <li>
          In the rule, add the “Send web request” action with this address, the POST method, and custom data from the
          list below.
        </li>
        <li>Add this header and hide its value:</li>
      </ol>
      <pre>{'Authorization: Bearer <secret>'}</pre>
      <dl>
        {requests.map(({ wanted, json }) => (
          <div key={wanted}>
            <dt>{wanted}</dt>
            <dd>
              <pre>{json}</pre>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  </section>
);
