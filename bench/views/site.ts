import type { Running } from '../server/programs.ts';
import { signIn } from '../server/users.ts';

export const ITEMS = 10_000;
export const ISSUES = 2_000;
export const TODAY = '2026-11-20';
/** Users with as many items each: the server limits an account's requests per minute. */
export const PEOPLE = 8;

/** Gives each user 10,000 items on the same 2,000 issues of ten projects, a tenth complete, half with a due date. */
export const FILL = `insert into assigned_item
  (tenant, issue, project, called, position, row, account, text, status, checked, mandatory, due)
  select (select tenant from tenant limit 1), (10000 + n % ${ISSUES})::text, (10000 + n % 10)::text,
    'BENCH-' || (10000 + n % ${ISSUES}) || ' What is to be done as number ' || (10000 + n % ${ISSUES}),
    p * 10 + n / ${ISSUES}, 'row-' || p || '-' || n, 'person-' || p,
    'Step ' || n || ' of the ' || (array['release', 'audit', 'launch', 'review'])[1 + n % 4] || ' [~accountid:person-' || p || ']',
    case when n % 10 = 0 then 'done' else 'todo' end, n % 10 = 0, n % 7 = 0,
    case when n % 2 = 0 then to_char('${TODAY}'::date + (n % 400 - 50), 'YYYY-MM-DD') end
  from generate_series(0, ${ITEMS - 1}) n, generate_series(0, ${PEOPLE - 1}) p`;

const PAGE = `query ($today: String! $order: AssignedOrder $filter: AssignedFilterInput $after: String) {
  assignedItems(today: $today order: $order filter: $filter after: $after first: 100) {
    next
    items { id issueId index text mandatory dueDate status { slug name color checked } }
    issues { id key summary status statusColor type typeIcon projectId projectName count
      permissions { canAddChecklistItems canChangeItemStatuses canDeleteChecklistItems canEditChecklist } }
  }
}`;
const COUNTS = `query ($today: String! $filter: AssignedFilterInput) {
  assignedCounts(today: $today filter: $filter) {
    all overdue due { past today week later none } projects { id name count } statuses { slug name count }
  }
}`;

interface Page {
  assignedItems: { next: string | null; items: object[] };
}

/** A session of a user with assigned items. */
export interface Assignee {
  /** No issue. */
  issue: string;
  page(variables: object): Promise<string | null>;
  counts(variables: object): Promise<void>;
}

export async function assigneeAt(server: Running, number: number): Promise<Assignee> {
  const { graphql } = await signIn(server, `person-${number}`);
  const open = { checked: false };
  return {
    issue: '',
    async page({ filter = {}, ...rest }: { filter?: object }) {
      const variables = { today: TODAY, ...rest, filter: { ...open, ...filter } };
      const { assignedItems } = await graphql<Page>(PAGE, variables);
      if (assignedItems.items.length !== 100) throw new Error(`A page of ${assignedItems.items.length} items.`);
      return assignedItems.next;
    },
    counts: async variables => void (await graphql(COUNTS, { today: TODAY, filter: open, ...variables })),
  };
}

/** A cursor far down a list, in the page's format. */
export const deepCursor = (order: 'ISSUE' | 'DUE'): string => {
  const place =
    order === 'ISSUE' ? { issue: '10100', position: 0, due: null } : { issue: '11000', position: 3, due: null };
  return Buffer.from(JSON.stringify(place)).toString('base64url');
};

const mine = `tenant = (select tenant from tenant limit 1) and account = $1 and not checked`;

/** Baseline of the same answers: a name, its SQL, and its values. */
export const bareQueries = [
  [
    'a page by issue',
    `select * from assigned_item where ${mine} order by length(issue) desc, issue desc, position limit 100`,
    ['person-0'],
  ],
  [
    'a page by due date',
    `select * from assigned_item where ${mine} order by due nulls last, length(issue), issue, position limit 100`,
    ['person-0'],
  ],
  [
    'search',
    `select * from assigned_item where ${mine} and (text ilike '%audit%' or called ilike '%audit%') order by length(issue) desc, issue desc, position limit 100`,
    ['person-0'],
  ],
  ['counts', `select issue, status, count(*) from assigned_item where ${mine} group by issue, status`, ['person-0']],
] as const;
