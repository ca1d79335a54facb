import { writeFileSync } from 'node:fs';
import { descriptor, placeholders } from './descriptor.ts';

/** Writes the Connect descriptor as a template. Run by `npm run descriptor`, which formats it. */
writeFileSync(new URL('../../atlassian-connect.json', import.meta.url), JSON.stringify(descriptor(placeholders)));
