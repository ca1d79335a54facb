import type { Status } from '../../../domain/statuses.ts';

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
    title: 'Items and statuses',
    words:
      'One line is one item. The mark at its start is its status: - to do, ~ in progress, + done, x skipped. A line without a mark is a to-do item. Click the box beside a line to tick it.',
    example: '- Tell the support team\n~ Write the release notes\n+ Tag the version\nx Update the old wiki',
  },
  {
    id: 'sections',
    title: 'Sections',
    words: 'A line that starts with # and a space is a header. Use up to six # for smaller headers.',
    example: '# Before the release\n- Freeze the branch\n## On the day\n- Watch the graphs',
  },
  {
    id: 'details',
    title: 'Details',
    words: 'Lines that start with > are details of the item or header above them.',
    example: '- Check the invoices\n> The numbers must have no gaps.\n> Ask for the list in accounting.',
  },
  {
    id: 'mandatory',
    title: 'Mandatory items',
    words:
      'An ! after the mark makes an item mandatory. The panel counts the open ones. Where the workflow has the rule “Checklist is done”, the issue moves on only after they are done.',
    example: '- ! Approved by the owner\n- Nice to have',
  },
  {
    id: 'gates',
    title: 'Gates and customers',
    words:
      '!before: and the name of an issue status in a header makes a gate: the panel warns while the section is open. Where the workflow has the rule “Checklist is done”, the issue moves to that status only after the section is done. !customers shows the section to customers if the project has a portal and its settings show sections there.',
    example: '# Definition of done !before:Done\n- Code reviewed\n# Delivery !customers\n- Parcel packed',
  },
  {
    id: 'statuses',
    title: 'Custom statuses',
    words:
      "Write a status name in brackets after the mark. Administrators set up statuses in the site and project settings. Words in brackets that aren't a status stay text.",
    example: '- [On hold] Wait for the contract\n+ [Approved] Plan the visit\n- [Not a status] An ordinary item',
    statuses: [
      { slug: 'on-hold', name: 'On hold', color: 'yellow', checked: false },
      { slug: 'approved', name: 'Approved', color: 'green', checked: true },
    ],
  },
  {
    id: 'people',
    title: 'People and dates',
    words:
      'Type @ and a name to assign an item. Type // for a date, or write one as 2030-12-31 or 31/12/2030. End an item with a day such as “by Friday”, and Tab takes it as the due date. At the end of a line they set the assignee and the due date.',
    example: '- Book the room 2030-12-31\n- Type an @ after this ',
  },
  {
    id: 'words',
    title: 'Formatting, links and issues',
    words: 'Bold, italic, code, links and emoji work as in Markdown. An issue key becomes a link to its issue.',
    example: '- **Important**, *perhaps*, ~~not any more~~, `code`\n- Read the [plan](https://example.com/plan) :tada:',
  },
  {
    id: 'paste',
    title: 'Pasted lists',
    words:
      'Paste a task list from GitHub, Markdown, a wiki, a table or an office document, and it becomes items. Press Shift while pasting to keep it as plain text.',
    example: '- Paste a list below this line\n',
  },
];
