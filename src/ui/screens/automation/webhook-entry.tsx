import Button from '@atlaskit/button/new';
import DeleteIcon from '@atlaskit/icon/core/delete';
import EditIcon from '@atlaskit/icon/core/edit';
import { useState } from 'react';
import type { Webhook, WebhookCall } from '../../../client/admin/webhooks.ts';
import { automation as messages } from '../../../domain/messages.ts';
import { copyText } from '../../kit/copy-and-download.ts';
import { Check, Failure, FormButtons } from '../../kit/form/form.tsx';
import { Message } from '../../kit/message.tsx';
import { InlineDialog } from '../../kit/popover.tsx';
import { QueryResult } from '../../kit/query-result.tsx';
import { RowButton } from '../../kit/sortable/sortable.tsx';
import { useNotify } from '../../shell/services/services.ts';
import { callWords, useWebhookCalls } from './use-webhooks.ts';

/** The forms and messages that can be open at a webhook. */
export type Opened = 'edit' | 'delete' | 'secret';

interface Props {
  webhook: Webhook;
  /** Its projects as words; empty if it is for the current one. */
  place: string;
  testing: boolean;
  /** The reason why the webhook could not be turned on or off, or tested. */
  failure: unknown;
  /** The open question. */
  asking: 'delete' | 'secret' | undefined;
  /** The answer to the question is being carried out. */
  busy: boolean;
  onEnable(enabled: boolean): void;
  onShow(kind: Opened): void;
  onTest(): void;
  /** Rejects if the secret is not replaced. */
  onNewSecret(): Promise<unknown>;
  /** Rejects if the webhook is not deleted. */
  onDelete(): Promise<unknown>;
  /** Cancels the question. */
  onClose(): void;
}

/** A webhook with its buttons, and its log on demand. */
export function WebhookEntry(props: Props) {
  const { webhook, place, testing, failure, asking, busy, onEnable, onShow, onTest, onNewSecret, onDelete, onClose } =
    props;
  const { id, name, url, address, direction, events, actions, enabled, hasSecret, stopped } = webhook;
  const [shown, setShown] = useState(false);
  const notify = useNotify();
  const words = [...events, ...actions].map(each => callWords[each] ?? each);
  const copy = async () =>
    notify(
      (await copyText(address ?? ''))
        ? 'Address copied.'
        : "We couldn't copy the address. Select it and copy it yourself.",
    );
  return (
    <article className="automation-entry" aria-label={name}>
      <div className="automation-row">
        <div className="automation-words">
          <strong dir="auto">{name}</strong>
          <code>{direction === 'OUTGOING' ? url : address}</code>
          <span className="page-note">{[...(place === '' ? [] : [place]), ...words].join(' · ')}</span>
        </div>
        <div className="page-tools">
          <Check checked={enabled} onChange={onEnable}>
            On
            <span className="check-hidden">: {name}</span>
          </Check>
          <RowButton icon={EditIcon} label={`Edit ${name}`} data-opens={`edit ${id}`} onClick={() => onShow('edit')} />
          <RowButton
            icon={DeleteIcon}
            label={`Delete ${name}`}
            data-opens={`delete ${id}`}
            onClick={() => onShow('delete')}
          />
        </div>
      </div>
      {hasSecret ? null : <Message appearance="warning">{messages.noSecret}</Message>}
      {stopped === null ? null : <Message appearance="warning">{messages.stopped}</Message>}
      <div className="form-buttons">
        {direction === 'OUTGOING' ? (
          <Button spacing="compact" isLoading={testing} onClick={onTest}>
            Send test
          </Button>
        ) : (
          <Button spacing="compact" onClick={() => void copy()}>
            Copy address
          </Button>
        )}
        <Button spacing="compact" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide log' : 'Show log'}
        </Button>
        <Button spacing="compact" appearance="subtle" data-opens={`secret ${id}`} onClick={() => onShow('secret')}>
          Replace secret…
        </Button>
      </div>
      <Failure of={failure} />
      {asking === 'delete' ? (
        <InlineDialog className="automation-ask" label="Delete webhook?" onClose={onClose}>
          <p>{`This deletes “${name}” and its log. Waiting calls aren't sent.`}</p>
          <FormButtons save="Delete webhook" appearance="danger" busy={busy} onSave={onDelete} onCancel={onClose} />
        </InlineDialog>
      ) : null}
      {asking === 'secret' ? (
        <InlineDialog className="automation-ask" label="Replace secret?" onClose={onClose}>
          <p>The current secret stops working immediately. Enter the new one wherever you use it.</p>
          <FormButtons save="Replace secret" busy={busy} onSave={onNewSecret} onCancel={onClose} />
        </InlineDialog>
      ) : null}
      {shown ? <WebhookLog id={id} name={name} /> : null}
    </article>
  );
}

const outcomes: Readonly<Record<string, string>> = {
  OK: 'Accepted',
  FAILED: 'Failed',
  DROPPED: 'Not sent',
  UNREADABLE: 'Invalid',
  FORBIDDEN: 'Not allowed',
  NOT_FOUND: 'Not found',
};

/** The outcome of a call, in words. */
function outcomeOf({ outcome, status, tries }: WebhookCall): string {
  const answer = status === null ? '' : status === 0 ? 'no answer' : String(status);
  const state = outcome === null ? (tries === 0 ? 'Waiting' : 'Retrying') : (outcomes[outcome] ?? 'Refused');
  return answer === '' ? state : `${state}, ${answer}`;
}

const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

/** The last calls of a webhook. */
function WebhookLog({ id, name }: { id: string; name: string }) {
  const calls = useWebhookCalls(id);
  return (
    <QueryResult of={calls}>
      {all =>
        all.length === 0 ? (
          <p className="page-note">No calls yet.</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard.
          <section className="page-table automation-log" aria-label={`Log of ${name}`} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Call</th>
                  <th scope="col">Result</th>
                  <th scope="col">Attempts</th>
                </tr>
              </thead>
              <tbody>
                {all.map(call => (
                  <tr key={call.id}>
                    <td>
                      <time dateTime={call.created}>{time.format(new Date(call.created))}</time>
                    </td>
                    <td>{callWords[call.event] ?? call.event}</td>
                    <td>{outcomeOf(call)}</td>
                    <td>{call.tries}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )
      }
    </QueryResult>
  );
}
