/** Messages of the editor's completion in place of a list, and the names of its lists. */

export const searching = 'Searching…';
export const peopleFailed = 'People could not be searched for.';
export const issuesFailed = 'Issues could not be searched for.';
export const emojiFailed = 'The emoji could not be loaded.';
export const datesFailed = 'Words for dates could not be loaded.';
export const noPeople = (query: string) => `Nobody is found by “${query}”.`;
export const noIssues = (key: string) => `No issue begins with ${key}.`;
export const pickDay = 'Pick a day…';
