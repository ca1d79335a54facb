import { useState } from 'react';
import * as v from 'valibot';
import type { Webhook } from '../../../client/admin/webhooks.ts';
import {
  isSameReceiver,
  type WebhookDirection,
  webhookActions,
  webhookEvents,
} from '../../../domain/automation/webhooks.ts';
import { failures, automation as messages } from '../../../domain/messages.ts';
import { Check, CheckGroup, changedValues, TextInput } from '../../kit/form/form.tsx';
import { useFormDraft } from '../../model/drafts/use-form-draft.ts';
import { ProjectsField } from '../../model/projects.tsx';
import { EntryForm, type Unsaved, useRefusal } from '../../shell/entry-form.tsx';
import { actionWords, eventWords, type WebhookValues } from './use-webhooks.ts';

interface Common {
  /** The current project; without one, webhooks are for the whole site. */
  projectId: string | undefined;
  busy: boolean;
  onClose(): void;
}
type Props = Common &
  (
    | {
        webhook?: undefined;
        direction: WebhookDirection;
        /** The values entered for a webhook that was deleted meanwhile, and its name. */
        unsaved: Unsaved<WebhookValues> | undefined;
        onSave(values: WebhookValues): Promise<unknown>;
        onEntered?: undefined;
      }
    | {
        webhook: Webhook;
        direction?: undefined;
        unsaved?: undefined;
        onSave(values: Partial<WebhookValues>): Promise<unknown>;
        onEntered(values: WebhookValues): void;
      }
  );

/** The chosen options, in the order of all options. */
const among = <Option extends string>(options: readonly Option[], ids: readonly string[]): Option[] =>
  options.filter(option => ids.includes(option));

/** The stored values of an unsaved webhook. Its token is secret, so it is not stored. */
const draftShape = v.object({
  name: v.exactOptional(v.string()),
  url: v.exactOptional(v.string()),
  events: v.exactOptional(v.array(v.picklist(webhookEvents))),
  actions: v.exactOptional(v.array(v.picklist(webhookActions))),
  projectIds: v.exactOptional(v.array(v.string())),
  withText: v.exactOptional(v.boolean()),
  automated: v.exactOptional(v.boolean()),
});

/** The form for a new or edited webhook. */
export function WebhookForm(props: Props) {
  const { webhook, unsaved, projectId, busy, onEntered, onClose } = props;
  const [before] = useState<WebhookValues>(() => ({
    direction: webhook?.direction ?? props.direction ?? 'OUTGOING',
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    events: among(webhookEvents, webhook?.events ?? ['checklist.completed']),
    actions: among(webhookActions, webhook?.actions ?? webhookActions),
    projectIds: webhook?.projectIds ?? (projectId === undefined ? [] : [projectId]),
    withText: webhook?.withText ?? false,
    automated: webhook?.automated ?? false,
    token: '',
  }));
  const draft = useFormDraft(`webhook ${projectId ?? 'site'} ${webhook?.id ?? before.direction}`, {
    before,
    unsaved: unsaved?.values,
    shape: draftShape,
  });
  const { values } = draft;
  const [removesToken, setRemovesToken] = useState(false);
  const { refuse, errorOf, attempt } = useRefusal();
  const change = (next: Partial<WebhookValues>) => {
    refuse(undefined);
    draft.change(next);
    onEntered?.({ ...values, ...next });
  };
  const isOutgoing = values.direction === 'OUTGOING';
  const isOtherReceiver = webhook !== undefined && !isSameReceiver(values.url.trim(), webhook.url);
  const save = () =>
    attempt(async () => {
      if (!props.webhook) await props.onSave(values);
      else {
        const removed = removesToken && values.token === '' ? { token: '' } : {};
        await props.onSave({ ...changedValues(before, values), ...removed });
      }
      draft.discard();
    });
  return (
    <EntryForm
      label={webhook ? 'Edit webhook' : 'New webhook'}
      save={webhook ? 'Save webhook' : 'Create webhook'}
      busy={busy}
      unsaved={unsaved}
      dirty={removesToken || JSON.stringify(values) !== JSON.stringify(before)}
      draft={draft}
      failed={failures.unknown}
      onSave={save}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={values.name}
        error={errorOf('name')}
        hint={
          isOutgoing ? undefined : 'The history shows it as the author of changes, such as “Automation: Jira rule”.'
        }
        autoFocus
        onChange={name => change({ name })}
      />
      {isOutgoing ? (
        <>
          <TextInput
            label="Address"
            value={values.url}
            error={errorOf('url')}
            hint={
              isOtherReceiver
                ? messages.otherReceiver
                : 'Starts with “https://”. Calls are signed with the webhook’s secret.'
            }
            onChange={url => change({ url })}
          />
          <CheckGroup
            label="Events"
            all={webhookEvents.map(id => ({ id, name: eventWords[id] }))}
            chosen={values.events}
            error={errorOf('events')}
            onChange={ids => change({ events: among(webhookEvents, ids) })}
          />
        </>
      ) : (
        <CheckGroup
          label="Allowed actions"
          all={webhookActions.map(id => ({ id, name: actionWords[id] }))}
          chosen={values.actions}
          error={errorOf('actions')}
          onChange={ids => change({ actions: among(webhookActions, ids) })}
        />
      )}
      {projectId === undefined ? (
        <ProjectsField
          chosen={values.projectIds}
          error={errorOf('projectIds')}
          onChange={projectIds => change({ projectIds })}
        />
      ) : null}
      {isOutgoing ? (
        <>
          <Check
            checked={values.withText}
            hint="When off, calls contain only IDs, statuses and counts."
            onChange={withText => change({ withText })}
          >
            Include item texts
          </Check>
          <Check
            checked={values.automated}
            hint="Turn this on only if the receiver doesn’t change checklists. Otherwise, its changes could trigger calls endlessly."
            onChange={automated => change({ automated })}
          >
            Include changes made by automation
          </Check>
          <TextInput
            label="Token for Jira automation"
            value={values.token}
            error={errorOf('token')}
            hint={
              webhook?.hasToken && !isOtherReceiver
                ? 'A token is saved. Enter a new one to replace it.'
                : 'The secret of the rule’s “Incoming webhook” trigger. Leave it empty for other receivers.'
            }
            onChange={token => change({ token })}
          />
          {webhook?.hasToken && !isOtherReceiver ? (
            <Check checked={removesToken} onChange={setRemovesToken}>
              Remove the saved token
            </Check>
          ) : null}
        </>
      ) : null}
    </EntryForm>
  );
}
