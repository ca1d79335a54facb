import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useBridge } from '../../../../src/ui/shell/services/services.ts';
import { FeatureFlagsProvider, useFeatureFlags } from '../../../../src/ui/shell/session-gate.tsx';

test('a hook outside its provider names the missing provider', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(() => renderHook(useFeatureFlags)).toThrow('useFeatureFlags must be used within a FeatureFlagsProvider');
  expect(() => renderHook(useBridge)).toThrow('No ServicesProvider');
});

test('feature flags are those of the provider', () => {
  const { result } = renderHook(useFeatureFlags, {
    wrapper: ({ children }) => <FeatureFlagsProvider value={{ hierarchy: true }}>{children}</FeatureFlagsProvider>,
  });
  expect(result.current).toEqual({ hierarchy: true });
});
