import { findTexts, screens } from './find-texts.ts';

/* All texts of the screens as one list, for review. `npm run texts` */
for (const path of screens)
  for (const { line, text } of findTexts(path)) process.stdout.write(`${path}:${line}\t${text}\n`);
