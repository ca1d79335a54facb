import { stories } from './stories.ts';
import { webkit } from './webkit.ts';

stories('webkit', webkit);
