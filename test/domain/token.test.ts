import { expect, test } from 'vitest';
import { decodeSession, productSettings } from '../../src/domain/token.ts';

const payload = {
  iss: 'add-on',
  aud: 'tenant',
  sub: 'ärger-✓',
  iat: 1,
  exp: 2,
  site: 'https://site.example',
  settings: {
    getting_started_template_id: null,
    has_checklist: true,
    manage_permissions_enabled: true,
    view_permissions_enabled: false,
    analytics_enabled: false,
    licensed: true,
  },
};
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a token is decoded, including non-Latin text', () => {
  expect(decodeSession(`x.${encode(payload)}.y`)).toEqual(payload);
});

test('product settings are renamed', () => {
  expect(productSettings(payload.settings)).toEqual({
    gettingStartedTemplateId: null,
    hasChecklist: true,
    permissionSettings: { manageEnabled: true, viewEnabled: false },
    permissionKeys: undefined,
    isLicensed: true,
  });
});

test('a session without a word about licenses is licensed', () => {
  const { licensed: _, ...settings } = payload.settings;
  const decoded = decodeSession(`x.${encode({ ...payload, settings })}.y`).settings;
  expect(decoded).toMatchObject({ licensed: true });
});

test('an invalid token is refused', () => {
  for (const token of ['', 'a.b', `x.${encode({ ...payload, exp: 'soon' })}.y`, `x.${encode([])}.y`]) {
    expect(() => decodeSession(token)).toThrow();
  }
});
