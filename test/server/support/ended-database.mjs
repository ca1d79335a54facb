// Preloaded by a program under test: once the file DATABASE_ENDS exists, its embedded database ends itself as one does
// whose commit cannot be logged for want of room, and computes for ever at the statement after that.
import { existsSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';

const { execProtocolStream } = PGlite.prototype;
let hasEnded = false;

PGlite.prototype.execProtocolStream = async function (...message) {
  while (hasEnded);
  if (!existsSync(process.env.DATABASE_ENDS ?? '')) return execProtocolStream.apply(this, message);
  hasEnded = true;
  throw Object.assign(new Error('could not write to file "pg_wal/xlogtemp.42": No space left on device'), {
    severity: 'PANIC',
    code: '53100',
  });
};
