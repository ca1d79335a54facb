/** A session of a site administrator. */
export interface Administrator {
  /** No issue. */
  issue: string;
  /** Reads a page of templates as the template manager does. */
  list(page: { search?: string; skip?: number }): Promise<void>;
  statuses(): Promise<string[]>;
  /** Puts the last status first. */
  reorder(): Promise<void>;
  importTemplates(file: string): Promise<void>;
  createStatus(name: string): Promise<void>;
}

const LIST = `query ($search: String $first: Int $skip: Int) {
  templates(search: $search first: $first skip: $skip) {
    templates { id projectId name text itemCount isDefault isGettingStarted updated }
    total
    globalRoom { count most }
  }
}`;
const statusFields = 'slug name color checked projectId builtIn going';
const STATUSES = `query { statuses { ${statusFields} } }`;
const IMPORT = `mutation ($input: ImportTemplatesInput!) {
  payload: importTemplates(input: $input) { templates { id } errors { message } }
}`;
const CREATE = `mutation ($input: CreateStatusInput!) { payload: createStatus(input: $input) { errors { message } } }`;
const REORDER = `mutation ($input: ReorderStatusesInput!) {
  payload: reorderStatuses(input: $input) { statuses { ${statusFields} } errors { message } }
}`;

interface Payload {
  payload: { errors: { message: string }[] };
}

/** Data of a query or mutation; rejects where there is none. */
type Graphql = <Data>(query: string, variables: unknown) => Promise<Data>;

export function administrator(graphql: Graphql): Administrator {
  const change = async (query: string, input: object) => {
    const { payload } = await graphql<Payload>(query, { input });
    const [error] = payload.errors;
    if (error) throw new Error(error.message);
  };
  const statuses = async () =>
    (await graphql<{ statuses: { slug: string }[] }>(STATUSES, {})).statuses.map(({ slug }) => slug);
  let order: string[] | undefined;
  return {
    issue: '',
    list: async page => void (await graphql(LIST, { first: 50, ...page })),
    statuses,
    async reorder() {
      order ??= await statuses();
      const slugs = [...order.slice(-1), ...order.slice(0, -1)];
      await change(REORDER, { slugs, seen: order });
      order = slugs;
    },
    importTemplates: file => change(IMPORT, { file }),
    createStatus: name => change(CREATE, { name, color: 'blue', checked: false }),
  };
}

const number = (value: number) => String(value).padStart(4, '0');
const words = ['Definition of done', 'Release', 'First day', 'Incident', 'Review', 'Audit', 'Launch', 'Handover'];
export const templateName = (index: number) => `${words[index % words.length]} of part ${number(index)}`;
const text = Array.from({ length: 12 }, (_, row) => `- Step ${row} as teams write them`).join('\n');

export const statusName = (index: number) => `State ${number(index)}`;

export const TEMPLATES = 1_000;
export const STATUSES_IN_ALL = 200;
/** The maximum number of templates of one import file. */
const OF_FILE = 500;

/** Gives a new site its templates and statuses. */
export async function fill({ importTemplates, createStatus, statuses }: Administrator): Promise<void> {
  for (let from = 0; from < TEMPLATES; from += OF_FILE) {
    const templates = Array.from({ length: OF_FILE }, (_, index) => ({ name: templateName(from + index), text }));
    await importTemplates(JSON.stringify({ format: 'smart-checklist-templates', version: 1, templates }));
  }
  for (let count = (await statuses()).length; count < STATUSES_IN_ALL; count++) await createStatus(statusName(count));
}

const found = 'tenant = (select tenant from tenant) and deleted is null and key like $1';

/** Baseline of the same answers: a name, its SQL, and its values. */
export const bareQueries = [
  ['a page', `select * from template where ${found} order by key, id limit 50`, ['%']],
  ['search', `select * from template where ${found} order by key, id limit 50`, ['%release of part 1%']],
  ['the 200 statuses', 'select * from status where tenant = (select tenant from tenant) order by position', []],
] as const;
