import type { Status } from '../../domain/statuses.ts';

/** A part of the notation, with an example to edit. */
export interface Topic {
  id: string;
  title: string;
  words: string;
  example: string;
  /** Custom statuses of the example. */
  statuses?: readonly Status[];
}

/** The notation, by how often it is needed. */
export const guide: readonly Topic[] = [
  {
    id: 'items',
    title: 'Items and their status',
    words:
      'One line is one item. The sign at its beginning is its status: - to do, ~ in progress, + done, x skipped. A line without a sign is an item that is to do. Click the box beside a line to tick it.',
    example: '- Tell the support team\n~ Write the release notes\n+ Tag the version\nx Update the old wiki',
  },
  {
    id: 'sections',
    title: 'Sections',
    words: 'A line that begins with # and a blank is a header. More of them make it a smaller one, up to six.',
    example: '# Before the release\n- Freeze the branch\n## On the day\n- Watch the graphs',
  },
  {
    id: 'details',
    title: 'Details',
    words: 'Lines that begin with > belong to the item or the header above them.',
    example: '- Check the invoices\n> The numbers must have no gaps.\n> Ask for the list in accounting.',
  },
  {
    id: 'mandatory',
    title: 'Mandatory items',
    words: 'An ! after the sign marks what must be done before the issue is.',
    example: '- ! Approved by the owner\n- Nice to have',
  },
  {
    id: 'statuses',
    title: 'Statuses of your own',
    words:
      'The name of a status in brackets follows the sign. Which ones there are is decided in the settings of the site and of the project; words in brackets that are no status stay words.',
    example: '- [On hold] Wait for the contract\n+ [Approved] Plan the visit\n- [Not a status] A usual item',
    statuses: [
      { slug: 'on-hold', name: 'On hold', color: 'yellow', checked: false },
      { slug: 'approved', name: 'Approved', color: 'green', checked: true },
    ],
  },
  {
    id: 'people',
    title: 'People and days',
    words:
      'Type @ and a name to assign an item. Type // for a day, or write one as 2030-12-31 or 31/12/2030. At the end of the line they set the assignee and the due date.',
    example: '- Book the room 2030-12-31\n- Type an @ behind this ',
  },
  {
    id: 'words',
    title: 'Words, links and issues',
    words: 'Emphasis, code, links and emoji work as in other notes. An issue key becomes a link to its issue.',
    example: '- **Important**, *perhaps*, ~~not any more~~, `code`\n- Read the [plan](https://example.com/plan) :tada:',
  },
  {
    id: 'paste',
    title: 'Lists from elsewhere',
    words:
      'Paste a task list from GitHub, Markdown, a wiki, a table or an office program: it becomes items. Paste it with Shift to keep it as it is.',
    example: '- Paste a list below this line\n',
  },
];
