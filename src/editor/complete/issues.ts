import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { IssueSummary } from '../../domain/issue.ts';
import { complete as words } from '../../domain/messages.ts';
import { provider } from '../provider.ts';
import { showHint } from './hint.ts';
import { lookup } from './lookup.ts';
import { type Choice, put } from './option.ts';
import { triggered } from './trigger.ts';

const MAX_ISSUES = 10;

/** A project key and its hyphen, and what there is of a number. */
const typed = /(?<![\p{L}\p{N}_./\\-])([A-Z][A-Z0-9_]+-(?:[1-9][0-9]*)?)$/u;

const find = lookup<IssueSummary>({
  ask: (asked, key, signal) => asked.findIssues(key, signal),
  failed: words.issuesFailed,
});

const choiceOf = ({ key, name, status }: IssueSummary): Choice => ({
  label: key,
  detail: name,
  picture: { kind: 'icon', address: status.icon },
  lozenge: { text: status.title, look: status.lozenge },
  apply: put(key),
});

/** Issues, after a project's key and a hyphen. */
export async function issues(context: CompletionContext): Promise<CompletionResult | null> {
  const trigger = triggered(context, typed);
  if (!trigger) return null;
  const foundIssues = await find(context.state.facet(provider), context, trigger, typed);
  if (!foundIssues || context.aborted) return null;
  const { from, query } = trigger;
  const options = foundIssues
    .filter(({ key }) => key.startsWith(query))
    .slice(0, MAX_ISSUES)
    .map(choiceOf);
  // Many words look like keys, such as UTF-8: "not found" is shown only for an explicit request.
  const quiet = options.length > 0 || !context.explicit;
  showHint(context, from, typed, quiet ? undefined : words.noIssues(query), true);
  // A key that is all there needs no list, which would take the next Enter.
  const complete = options.every(({ label }) => label === query) && !context.explicit;
  return options.length === 0 || complete ? null : { from, options, filter: false };
}
