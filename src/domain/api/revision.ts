/** A revision's place in the history, and the hash of its text. */
export interface RevisionStamp {
  epoch: string;
  seq: number;
  hash: string;
}

/** The text of a stamp, which is safe in a path and in an ETag. */
export const revision = /^([\w-]{0,64})\.(\d{1,9})\.([0-9a-f]{32})$/;

/** A revision without the hash: a position in a list of revisions. */
export const position = /^([\w-]{0,64})\.(\d{1,9})$/;

export const positionOf = ({ epoch, seq }: Omit<RevisionStamp, 'hash'>): string => `${epoch}.${seq}`;

/** Parses the text of a place; `undefined` if it is none. */
export function parsePosition(text: string): Omit<RevisionStamp, 'hash'> | undefined {
  const [, epoch = '', seq] = position.exec(text) ?? [];
  return seq === undefined ? undefined : { epoch, seq: Number(seq) };
}

export const revisionOf = ({ epoch, seq, hash }: RevisionStamp): string => `${epoch}.${seq}.${hash}`;

/** The ETag of an answer about a revision, and of its content: the same revision reads otherwise with other statuses. */
export const readTag = (revision: string, contentHash: string): string => `"${revision};${contentHash}"`;

/**
 * The opaque part of an ETag, with its quotes. A reverse proxy that compresses an answer makes the tag weak (nginx) or
 * adds the coding to it (Apache, Caddy); the revision stays the same. Other texts are returned as they are.
 */
export const opaqueTag = (tag: string): string =>
  tag.trim().replace(/^(?:W\/)?("[^"]*?)(?:-{1,2}(?:gzip|br|zstd|deflate))?"$/, '$1"');

/** Parses an ETag, or the text of a stamp in quotes; `undefined` if it is neither. */
export const parseTag = (tag: string): RevisionStamp | undefined =>
  parseRevision(/^"([^;]*)(?:;[0-9a-f]+)?"$/.exec(opaqueTag(tag))?.[1] ?? '');

/** Parses the text of a stamp; `undefined` if it is none. */
export function parseRevision(text: string): RevisionStamp | undefined {
  const [, epoch = '', seq, hash = ''] = revision.exec(text) ?? [];
  return seq === undefined ? undefined : { epoch, seq: Number(seq), hash };
}
