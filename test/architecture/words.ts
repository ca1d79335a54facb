/**
 * Words that the glossary replaces, with the term to use and where a pattern recognises the replaced meaning. Words
 * with a plain sense of their own (open, line, place, kept) are refused only in forms that have no such sense.
 */
export interface Word {
  /** The glossary's term. */
  readonly term: string;
  /** Matches in comments, case-insensitive, on text with single spaces. */
  readonly comment?: RegExp;
  /** Matches in names: identifiers and file names as lower-case words between spaces (`saveAll` is ` save all `). */
  readonly name?: RegExp;
}

export const words: readonly Word[] = [
  {
    term: 'user, author, actor; or name the case',
    comment: /\b(somebody|someone|anybody|anyone|whoever|whomever|nobody|no one)\b/i,
    name: / (somebody|someone|anybody|anyone|whoever|nobody) /,
  },
  { term: 'the user, the account', comment: /\b(he|him|his|himself)\b/i },
  { term: "our, the app's", comment: /\b(of|to) (ours|yours|theirs)\b(?! ')|\bof (our|its|his|their) own accord\b/i },
  { term: 'also, in the same way', comment: /\blikewise\b/i },
  { term: 'automatically', comment: /\b(by|of) (itself|themselves)\b/i },
  {
    term: 'foreign change',
    comment: /\b(what|that which) (others|other people) (wrote|write|did)\b|\bbehind (our|its) back\b/i,
  },
  { term: 'own write, echo', comment: /\b(what we wrote|heard again|our own voice)\b/i },
  { term: 'revision', name: / (standing|standings) / },
  { term: 'change', comment: /\bdoings?\b(?= of)/i, name: / (deeds?|acts) | (while|row) doings? | on act / },
  { term: 'base, mine, theirs, merged', name: / overruled / },
  { term: 'conflict', comment: /\boverrul(e|es|ed|ing)\b/i, name: / (alike|puzzled) / },
  { term: 'outbox, draft', comment: /\bshel(f|ves)\b/i, name: / (shelf|shelves) / },
  { term: 'mutex, lease', name: / (alone|taking turns) / },
  { term: 'transaction, collaboration', name: / together / },
  {
    term: 'debounce, throttle, retry, backoff',
    comment: /\b(politely|polite|tending|steadily)\b|\btold later\b/i,
    name: / (polite|politely|steady|tending|told later) /,
  },
  { term: 'timeout', name: / patience / },
  { term: 'pending, failed', comment: /\b(puzzled|given up)\b/i, name: / given up | under way / },
  { term: 'cache, cached', comment: /\b(believed|sightings?)\b/i, name: / (believed|believe|sightings?) / },
  {
    term: 'load, refresh, reconcile',
    comment: /\blook(s|ed|ing)? around\b/i,
    name: / (look around|situations?|lookout) /,
  },
  {
    term: 'listener, subscribe, notify, publish',
    comment:
      /\b(hears?|heard|hearing|tellers?)\b|\b(is|are|was|were|be|been|gets?) told\b|\btells? (everybody|everyone|all|others)\b/i,
    name: / (hear|hears|heard|hearing|tell|tells|teller|tellers|told) /,
  },
  { term: 'filter, focus', comment: /\b(in|out of|into) sight\b/i, name: / sights? / },
  { term: 'dialog, popup, banner, flag', comment: /\bways? out\b/i, name: / ways? out / },
  { term: 'blocker', comment: /\bhindrances?\b/i, name: / hindrances? / },
  { term: 'collaborator', name: / peers / },
  { term: 'lazy, preload', name: /^ (late|late (component|part|chunk|module|load|import)s?) $/ },
  {
    term: 'fixture, fault injection',
    comment: /\boutages?\b/i,
    name: / (stages?|outages?|stories) | (issue|read) story | story shape /,
  },
];
