import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import AddIcon from '@atlaskit/icon/core/add';
import { useRef, useState } from 'react';
import type { Webhook } from '../../../client/admin/webhooks.ts';
import type { WebhookDirection } from '../../../domain/automation/webhooks.ts';
import { failures, refusals } from '../../../domain/messages.ts';
import { Loading } from '../../kit/content-state.tsx';
import { useOpener } from '../../kit/focus.ts';
import { Message } from '../../kit/message.tsx';
import { QueryError } from '../../kit/query-result.tsx';
import { useFormDrafts } from '../../model/drafts/use-form-draft.ts';
import { projectName, useProjectNames } from '../../model/projects.tsx';
import { type Unsaved, useEntered } from '../../shell/entry-form.tsx';
import { useLeave, useUnsaved } from '../../shell/navigation/navigation.ts';
import { NewSecret } from '../../shell/new-secret.tsx';
import { Back, Page } from '../../shell/plain-pages.tsx';
import { useHostContext, useUser } from '../../shell/services/services.ts';
import { useWebhooks, type WebhookValues } from './use-webhooks.ts';
import { type Opened, WebhookEntry } from './webhook-entry.tsx';
import { WebhookForm } from './webhook-form.tsx';
import '../../kit/sortable/sortable.css';
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

/** The open form or question, one at a time: for a new webhook, or for one as it was when it was opened. */
type Open =
  | { kind: 'new'; direction: WebhookDirection; unsaved?: Unsaved<WebhookValues> | undefined }
  | { kind: Opened; webhook: Webhook }
  | undefined;

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

/** The projects of a webhook as words. */
const placeWords = ({ projectIds }: Webhook, names: ReadonlyMap<string, string> | undefined): string =>
  projectIds.length === 0 ? 'All projects' : projectIds.map(id => projectName(names, id)).join(', ');

function Webhooks({ projectId }: { projectId: string | undefined }) {
  useFormDrafts();
  const { data: webhooks, create, update, remove, test, setEnabled, errors, ...query } = useWebhooks(projectId);
  const [open, setOpen] = useState<Open>(undefined);
  /** The secrets that were made here, and their webhooks. */
  const [secrets, setSecrets] = useState<readonly { name: string; value: string }[]>([]);
  const box = useRef<HTMLDivElement>(null);
  /** The control to focus when the open form or message closes. */
  const opener = useOpener(open !== undefined, box);
  const opened = open && open.kind !== 'new' ? open.webhook : undefined;
  const isDeleted = opened !== undefined && webhooks?.every(({ id }) => id !== opened.id) === true;
  const entered = useEntered<WebhookValues>(isDeleted, unsaved => {
    if (!opened) return;
    const { direction } = opened;
    opener.current = direction;
    setOpen(unsaved && { kind: 'new', direction, unsaved });
  });
  /** A secret is being replaced: the new one is shown once, with the answer. */
  const [replacing, setReplacing] = useState(false);
  useUnsaved(replacing);
  const leave = useLeave();
  const show = (next: NonNullable<Open>) =>
    leave(() => {
      opener.current = next.kind === 'new' ? next.direction : `${next.kind} ${next.webhook.id}`;
      entered.current = undefined;
      setSecrets([]);
      setOpen(next);
    });
  /** Closes the open form or message, unless another one was opened meanwhile. */
  const close = () => setOpen(now => (now === open ? undefined : now));
  const ids = [...new Set(webhooks?.flatMap(({ projectIds }) => projectIds) ?? [])].sort();
  const { data: names } = useProjectNames(projectId === undefined ? ids : []);
  /** Shows a new secret, which takes the focus, in place of the open form. */
  const keep = (name: string) => (answer: { secret: string | null }) => {
    const { secret: value } = answer;
    if (value !== null) {
      opener.current = undefined;
      setSecrets(now => [...now, { name, value }]);
    }
    close();
  };
  if (!webhooks) {
    if (!query.isError) return <Loading />;
    return (
      <QueryError
        title={failures.unknown}
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  const entry = (webhook: Webhook) => {
    const { id, name } = webhook;
    const kind = open && open.kind !== 'new' && open.webhook.id === id ? open.kind : undefined;
    return kind === 'edit' ? (
      <WebhookForm
        webhook={webhook}
        projectId={projectId}
        busy={update.isPending}
        onEntered={values => {
          entered.current = { name, values };
        }}
        onSave={values => update.mutateAsync({ id, ...values }).then(keep(values.name ?? name))}
        onClose={close}
      />
    ) : (
      <WebhookEntry
        webhook={webhook}
        place={projectId === undefined ? placeWords(webhook, names) : ''}
        testing={test.isPending && test.variables === id}
        failure={errors[id] ?? (test.variables === id ? test.error : null)}
        asking={kind}
        busy={kind === 'delete' ? remove.isPending : update.isPending}
        onEnable={enabled => void setEnabled(id, enabled).then(keep(name), () => undefined)}
        onShow={next => show({ kind: next, webhook })}
        onTest={() => test.mutate(id)}
        // Not a callback of `mutate`: turning a webhook on or off meanwhile would drop it.
        onNewSecret={() => {
          setReplacing(true);
          return update
            .mutateAsync({ id, newSecret: true })
            .then(keep(name))
            .finally(() => setReplacing(false));
        }}
        onDelete={() => remove.mutateAsync(id).then(close)}
        onClose={close}
      />
    );
  };
  return (
    <div ref={box} className="automation-lists" tabIndex={-1}>
      {secrets.map(({ name, value }) => (
        <NewSecret
          key={value}
          what="secret"
          label={`Secret of ${name}`}
          value={value}
          onDone={() => {
            setSecrets(now => now.filter(each => each.value !== value));
            box.current?.focus();
          }}
        />
      ))}
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
                busy={create.isPending}
                unsaved={open.unsaved}
                onSave={values => create.mutateAsync(values).then(keep(values.name))}
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
