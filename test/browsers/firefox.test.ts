import { firefox } from './firefox.ts';
import { flows } from './flows.ts';

flows('firefox', firefox);
