import { afterAll, afterEach } from 'vitest';
import { forgetApps, nothingLeft } from './left-behind.ts';

// In a file of its own: set-up files are loaded anew for each test file, and the apps are known to one module.
afterEach(nothingLeft);
afterAll(forgetApps);
