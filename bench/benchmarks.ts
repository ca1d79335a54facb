/** The programs that `npm run bench` runs, in this order. */
export const BENCHMARKS = [
  ...['text', 'fuzz', 'editor', 'panel', 'views', 'templates', 'server', 'steps', 'offenders', 'attempts'],
  ...['capacity', 'memory'],
];
