/** What is new in a version, the latest first. An id is for good: by the first one people are remembered to have seen them. */
export interface News {
  id: string;
  version: string;
  items: readonly { title: string; words: string }[];
}

export const news: readonly [News, ...News[]] = [
  {
    id: '4.29.0',
    version: '4.29',
    items: [
      {
        title: 'Everything that is yours on one page',
        words:
          'Assigned checklist items shows your items of all issues, by issue or by day, and you work on them there.',
      },
      {
        title: 'A history that reads',
        words: 'Who ticked, reworded or moved what, by day and by row. Take back one change or go back to a version.',
      },
      {
        title: 'Work at the same time',
        words: 'Two people in one checklist are joined row by row. What both changed is shown to both.',
      },
      {
        title: 'A faster editor',
        words: 'Press F1 for everything that it can do, and open the preview beside the text.',
      },
      {
        title: 'Templates by rules',
        words: 'A template comes to an issue when it is created, moves to a status, or has a field changed.',
      },
    ],
  },
  {
    id: '4.28.0',
    version: '4.28',
    items: [
      { title: 'Statuses of a project', words: 'Each project may have statuses of its own beside those of the site.' },
      { title: 'Mandatory items', words: 'An ! marks what must be done; the panel counts what of it is open.' },
    ],
  },
];
