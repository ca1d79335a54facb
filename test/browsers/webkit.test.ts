import { flows } from './flows.ts';
import { webkit } from './webkit.ts';

flows('webkit', webkit);
