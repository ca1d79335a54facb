import { afterEach, expect, test, vi } from 'vitest';
import { createDrafts } from '../../src/client/drafts.ts';

const owner = { tenant: 'tenant', account: 'acc:1' };
const draft = { base: { epoch: 'e', seq: 3, text: '- a' }, text: '- a\n- b “quoted”', name: 'Mine' };

function memory(): Storage {
  const entries = new Map<string, string>();
  return {
    get length() {
      return entries.size;
    },
    key: index => [...entries.keys()][index] ?? null,
    getItem: key => entries.get(key) ?? null,
    setItem: (key, value) => entries.set(key, value),
    removeItem: key => entries.delete(key),
    clear: () => entries.clear(),
  };
}

const refusing = (): Storage => {
  const refuse = () => {
    throw new DOMException('Full.', 'QuotaExceededError');
  };
  return { ...memory(), getItem: refuse, setItem: refuse, removeItem: refuse };
};

afterEach(() => vi.unstubAllGlobals());

test('a draft outlives the page until it is settled', () => {
  const storage = memory();
  expect(createDrafts(owner, storage).keep('10001', draft)).toBe(true);
  expect(createDrafts(owner, storage).read('10001')).toMatchObject(draft);
  createDrafts(owner, storage).clear('10001');
  expect(createDrafts(owner, storage).read('10001')).toBeUndefined();
  expect(storage.length).toBe(0);
});

test('drafts of other issues, accounts and tenants are apart', () => {
  const storage = memory();
  createDrafts(owner, storage).keep('10001', draft);
  expect(createDrafts(owner, storage).read('10002')).toBeUndefined();
  expect(createDrafts({ ...owner, account: 'acc:2' }, storage).read('10001')).toBeUndefined();
  expect(createDrafts({ ...owner, tenant: 'other' }, storage).read('10001')).toBeUndefined();
  expect(createDrafts({ tenant: 'tenant/acc', account: '1' }, storage).read('10001')).toBeUndefined();
});

test('storage that is full, refused or absent is survived', () => {
  for (const storage of [refusing(), undefined]) {
    const drafts = createDrafts(owner, storage);
    expect(drafts.keep('10001', draft)).toBe(false);
    expect(drafts.read('10001')).toBeUndefined();
    drafts.clear('10001');
  }
});

test('a browser that refuses storage to the frame altogether is survived', () => {
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get: () => {
      throw new DOMException('Denied.', 'SecurityError');
    },
  });
  try {
    expect(createDrafts(owner).keep('10001', draft)).toBe(false);
  } finally {
    Reflect.deleteProperty(globalThis, 'localStorage');
  }
});

test.each(['no JSON', '{"text":5}', 'null', '[]'])('what is no draft is none: %s', stored => {
  const storage = { ...memory(), getItem: () => stored };
  expect(createDrafts(owner, storage).read('10001')).toBeUndefined();
});
