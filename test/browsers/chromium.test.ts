import { chromium } from './chromium.ts';
import { stories } from './stories.ts';

stories('chromium', chromium);
