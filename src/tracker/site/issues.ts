import { customer, editor, projectAdmin, viewer } from './people.ts';

/** An issue of the seed. Its key is its project's next one; `parent` is the summary of one before it. */
export interface SeedIssue {
  project: 'WEB' | 'HELP';
  type: string;
  status: string;
  priority: string;
  summary: string;
  description: string;
  reporter: string;
  assignee?: string;
  parent?: string;
  labels?: string[];
  /** A text from before the installation: in the text field, or as a string in the property. */
  field?: string;
  property?: string;
}

const checkout = 'One-page checkout';
const guest = 'Let customers buy without an account';
const emma = editor.accountId;
const pavel = projectAdmin.accountId;
const victor = viewer.accountId;
const carla = customer.accountId;

/** Links of the seed, by summaries: the one issue blocks the other, or relates to it. */
export const seedLinks: readonly { from: string; to: string; type: 'Blocks' | 'Relates' }[] = [
  { from: 'Basket empties after signing in', to: guest, type: 'Blocks' },
  { from: 'Payment provider answers slowly', to: checkout, type: 'Relates' },
  { from: 'Pay with a saved card', to: checkout, type: 'Relates' },
];

export const seedIssues: readonly SeedIssue[] = [
  {
    project: 'WEB',
    type: 'Epic',
    status: 'In Progress',
    priority: 'High',
    summary: checkout,
    description: 'Two of five customers leave between basket and payment. One page, no account needed, payment last.',
    reporter: pavel,
    assignee: pavel,
    labels: ['checkout'],
  },
  {
    project: 'WEB',
    type: 'Story',
    status: 'In Progress',
    priority: 'High',
    summary: guest,
    description: 'Ask for the e-mail address only, and offer an account after the order.',
    reporter: pavel,
    assignee: emma,
    parent: checkout,
  },
  {
    project: 'WEB',
    type: 'Sub-task',
    status: 'To Do',
    priority: 'Medium',
    summary: 'Send the order confirmation to guests',
    description: '',
    reporter: emma,
    assignee: emma,
    parent: guest,
  },
  {
    project: 'WEB',
    type: 'Sub-task',
    status: 'Done',
    priority: 'Medium',
    summary: 'Check the e-mail address while it is typed',
    description: '',
    reporter: emma,
    assignee: emma,
    parent: guest,
  },
  {
    project: 'WEB',
    type: 'Story',
    status: 'To Do',
    priority: 'Medium',
    summary: 'Show delivery costs in the basket',
    description: 'Costs that appear late are the first reason for leaving, says the survey of May.',
    reporter: pavel,
    parent: checkout,
    field:
      '# Before we start\n- Agree on the rounding rule\n- Ask the carriers for their price lists\n# Done when\n- Costs follow the postcode\n- Free delivery is shown from 50 on',
  },
  {
    project: 'WEB',
    type: 'Bug',
    status: 'In Progress',
    priority: 'Highest',
    summary: 'Basket empties after signing in',
    description: 'Fill the basket, then sign in: the basket of the last visit replaces the new one.',
    reporter: victor,
    assignee: emma,
    labels: ['regression'],
    property: '- Reproduce on staging\n+ Find the change that broke it\n- Merge both baskets\n- Tell support',
  },
  {
    project: 'WEB',
    type: 'Bug',
    status: 'To Do',
    priority: 'Low',
    summary: 'Currency sign jumps on narrow screens',
    description: '',
    reporter: victor,
  },
  {
    project: 'WEB',
    type: 'Story',
    status: 'Done',
    priority: 'Medium',
    summary: 'Pay with a saved card',
    description: 'For customers who have an account.',
    reporter: pavel,
    assignee: pavel,
  },
  {
    project: 'HELP',
    type: 'Service request',
    status: 'Waiting for support',
    priority: 'Medium',
    summary: 'New laptop for a starter on Monday',
    description: 'She begins on Monday and needs the design tools.',
    reporter: carla,
    assignee: emma,
  },
  {
    project: 'HELP',
    type: 'Service request',
    status: 'Waiting for customer',
    priority: 'Low',
    summary: 'Access to the sales reports',
    description: 'Read access for the whole team, please.',
    reporter: carla,
    assignee: pavel,
  },
  {
    project: 'HELP',
    type: 'Service request',
    status: 'Resolved',
    priority: 'Low',
    summary: 'Move the printer on floor two',
    description: '',
    reporter: victor,
    assignee: emma,
  },
  {
    project: 'HELP',
    type: 'Incident',
    status: 'Waiting for support',
    priority: 'Highest',
    summary: 'Payment provider answers slowly',
    description: 'Since 07:40 every third payment takes longer than ten seconds.',
    reporter: pavel,
    assignee: emma,
  },
];
