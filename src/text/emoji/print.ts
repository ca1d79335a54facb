import emoji from 'emojibase-data/en/compact.json' with { type: 'json' };
import iamcal from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };
import joypixels from 'emojibase-data/en/shortcodes/joypixels.json' with { type: 'json' };
import { packEmoji } from './pack.ts';

/** Prints the emoji as a module. Run by `npm run generate`. The second preset knows names that the first lacks. */
const packed = packEmoji(emoji, [iamcal, joypixels]);
process.stdout.write(`export const packed: string =\n  ${JSON.stringify(packed)};\n`);
