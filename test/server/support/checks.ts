import { afterEach } from 'vitest';
import { nothingLeft } from './left-behind.ts';

afterEach(nothingLeft);
