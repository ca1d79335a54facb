import { vi } from 'vitest';

// Unloads modules of earlier files of the worker: this one replaces modules.
vi.resetModules();
