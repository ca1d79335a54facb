import { firefox } from './firefox.ts';
import { stories } from './stories.ts';

stories('firefox', firefox);
