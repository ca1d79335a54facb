import { chromium } from './chromium.ts';
import { flows } from './flows.ts';

flows('chromium', chromium);
