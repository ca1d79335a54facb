import Heading from '@atlaskit/heading';

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
export const Examples = () => (
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
