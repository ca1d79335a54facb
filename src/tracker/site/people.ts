import type { Person } from './model.ts';

/** The five users of the site; the user switch selects one of them. */
export const people: readonly Person[] = [
  {
    accountId: '5b10a2844c20165700ede21a',
    displayName: 'Mia Krystof',
    email: 'mia@example.com',
    role: 'site-admin',
    roleName: 'Site admin',
    color: '#6554c0',
  },
  {
    accountId: '5b10a2844c20165700ede21b',
    displayName: 'Pavel Novak',
    email: 'pavel@example.com',
    role: 'project-admin',
    roleName: 'Project admin',
    color: '#0065ff',
  },
  {
    accountId: '5b10a2844c20165700ede21c',
    displayName: 'Emma Richards',
    email: 'emma@example.com',
    role: 'editor',
    roleName: 'Editor',
    color: '#00875a',
  },
  {
    accountId: '5b10a2844c20165700ede21d',
    displayName: 'Victor Sato',
    email: 'victor@example.com',
    role: 'viewer',
    roleName: 'Viewer',
    color: '#ff8b00',
  },
  {
    accountId: 'qm:7c5a41d9:b2f6',
    displayName: 'Carla Ortiz',
    email: 'carla@customer.example',
    role: 'customer',
    roleName: 'Portal customer',
    color: '#de350b',
  },
];

export const personOf = (accountId: string): Person | undefined =>
  people.find(person => person.accountId === accountId);

const theOne = (role: Person['role']): Person => {
  const foundPerson = people.find(person => person.role === role);
  if (!foundPerson) throw new Error(`No person has the role ${role}.`);
  return foundPerson;
};

export const siteAdmin = theOne('site-admin');
export const projectAdmin = theOne('project-admin');
export const editor = theOne('editor');
export const viewer = theOne('viewer');
export const customer = theOne('customer');
