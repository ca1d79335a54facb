import http from 'node:http';

/*
 * Loaded into the add-on's processes before anything of theirs: says with every call of the tracker for what the issue is
 * read, by the functions that wait for the answer, so that the judge knows from which reading a write was made.
 */

/** The functions of the add-on that read an issue, by what for. */
const readers = [
  [/\b(lookAround|putProperty)\b/, 'turn'],
  [/\bbringField\b/, 'copy'],
];

Error.stackTraceLimit = 50;
const { request } = http;
http.request = (url, options, answered) => {
  const { stack = '' } = new Error('Where it is called');
  const [, reader] = readers.find(([name]) => name.test(stack)) ?? ['', 'other'];
  const headers = { ...options.headers, 'x-chaos-from': `${reader} ${process.pid}` };
  return request(url, { ...options, headers }, answered);
};
