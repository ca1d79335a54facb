/** Messages of the editor's completion in place of a list, and the names of its lists. */

export const searching = 'Searching…';
export const peopleFailed = "We couldn't search for people.";
export const issuesFailed = "We couldn't search for issues.";
export const emojiFailed = "We couldn't load the emoji.";
export const datesFailed = "We couldn't load date names.";
export { failed as gatesFailed } from './gates.ts';
export const noPeople = (query: string) => `No people match “${query}”.`;
export const noGates = (name: string) => `No statuses match “${name}”.`;
export const noIssues = (key: string) => `No issue key starts with ${key}.`;
export const dueOffer = (day: string) => `Due ${day}`;
export const dueAnnounced = (day: string) => `Press Tab to set the due date to ${day}.`;
export const dueTaken = (day: string) => `Due date set to ${day}.`;
export const pickDay = 'Pick a date…';
export const dayHint = 'Type a date, such as “in 2 weeks”, “next fri” or “12/03”.';
export const noDay = (phrase: string) => `“${phrase}” isn't a date.`;
