// Preloaded by a program under test: what an export writes first does not fit on the disk.
import fs from 'node:fs';

const { write } = fs;
fs.write = (fd, bytes, ...more) => {
  if (!String(bytes).startsWith('{"format"')) return write(fd, bytes, ...more);
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  more.at(-1)(full);
};
