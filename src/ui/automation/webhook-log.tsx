import type { WebhookCall } from '../../client/admin/webhooks.ts';
import { QueryResult } from '../kit/content-state.tsx';
import { callWords, useWebhookCalls } from './use-webhooks.ts';

const outcomes: Readonly<Record<string, string>> = {
  OK: 'Accepted',
  FAILED: 'Failed',
  DROPPED: 'Not sent',
  UNREADABLE: 'Invalid',
  FORBIDDEN: 'Not allowed',
  NOT_FOUND: 'Not found',
};

/** What became of a call. */
function outcomeOf({ outcome, status, tries }: WebhookCall): string {
  const answer = status === null ? '' : status === 0 ? 'no answer' : String(status);
  const state = outcome === null ? (tries === 0 ? 'Waiting' : 'Retrying') : (outcomes[outcome] ?? 'Refused');
  return answer === '' ? state : `${state}, ${answer}`;
}

const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

/** The last calls of a webhook. */
export function WebhookLog({ id, name }: { id: string; name: string }) {
  const calls = useWebhookCalls(id);
  return (
    <QueryResult of={calls}>
      {all =>
        all.length === 0 ? (
          <p className="automation-note">No calls yet.</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard.
          <section className="automation-log" aria-label={`Log of ${name}`} tabIndex={0}>
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
