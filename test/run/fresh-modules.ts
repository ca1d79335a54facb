import { vi } from 'vitest';

// Nothing that an earlier file of the worker has loaded: this one replaces modules.
vi.resetModules();
