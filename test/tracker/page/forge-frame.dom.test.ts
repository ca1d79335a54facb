import { expect, onTestFinished, test } from 'vitest';
import { mountForgeFrame } from '../../../src/tracker/page/bridge/forge/frames.ts';
import type { ForgeModule } from '../../../src/tracker/wire/modules.ts';

test('a frame of the app on Forge has the attributes of the vendor’s frames, and no more', () => {
  const holder = document.body.appendChild(document.createElement('div'));
  const module: ForgeModule = {
    framework: 'forge',
    ...{ addonKey: 'app', key: 'checklist-context', name: 'Checklist', contentPresent: true },
    url: 'http://localhost:2992/main/index.html',
    context: {
      ...{ accountId: 'a', cloudId: 'c', siteUrl: 'http://localhost:2990', environmentId: 'e' },
      ...{ environmentType: 'PRODUCTION', locale: 'en-US', timezone: 'UTC', moduleKey: 'checklist-context' },
      ...{ localId: 'l', extension: {} },
    },
  };
  const unmount = mountForgeFrame(holder, module, {
    ...{ place: 'issue-context', about: {}, dialog: undefined, onHeight: undefined },
    ...{ onEstablished: () => undefined, onLoad: () => undefined },
  });
  onTestFinished(() => {
    unmount();
    holder.remove();
  });
  const frame = holder.querySelector('iframe');
  // Without popups and top navigation: pages open links by the host's router.
  expect(frame?.getAttribute('sandbox')?.split(' ')).toEqual([
    'allow-downloads',
    'allow-forms',
    'allow-modals',
    'allow-pointer-lock',
    'allow-same-origin',
    'allow-scripts',
  ]);
  expect(frame?.getAttribute('allow')).toBe('camera; clipboard-write; display-capture; fullscreen; microphone');
});
