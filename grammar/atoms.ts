import { isDigit, isUpper, isWord, type Reader } from './characters.ts';
import { codeEnd, linkEnd, urlAt } from './links.ts';
import { Code, DateRef, Emoji, IssueKey, IssueUrl, LinkOpen, Mention, MentionName, Url } from './parser.terms.ts';
import { dateEnd, emojiEnd, issueKeyEnd, mentionEnd, mentionNameEnd } from './references.ts';

/** A node type and the offset at which it ends. */
export interface Token {
  term: number;
  to: number;
}

const token = (term: number, to: number): Token | undefined => (to < 0 ? undefined : { term, to });

/**
 * Reads what emphasis must not split at `at`: code, a link (as `LinkOpen`, up to its end), a URL or a reference.
 * Depends on the characters from `at` on only, so look-ahead and reading agree.
 */
export function atomAt(reader: Reader, at: number): Token | undefined {
  const unit = reader.peek(at);
  switch (unit) {
    case 96:
      return token(Code, codeEnd(reader, at));
    case 91:
      return token(Mention, mentionEnd(reader, at)) ?? token(LinkOpen, linkEnd(reader, at));
    case 64:
      return token(MentionName, mentionNameEnd(reader, at));
    case 58:
      return token(Emoji, emojiEnd(reader, at));
  }
  if (isDigit(unit)) return token(DateRef, dateEnd(reader, at));
  if ((unit === 72 || unit === 104) && !isWord(reader.peek(at - 1))) {
    const url = urlAt(reader, at);
    if (url) return { term: url.issue ? IssueUrl : Url, to: url.to };
  }
  return isUpper(unit) ? token(IssueKey, issueKeyEnd(reader, at)) : undefined;
}
