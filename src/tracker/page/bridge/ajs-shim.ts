/**
 * The vendor's host bridge takes `AJS`, `AJS.$` and a feature-gate client from the window while it is evaluated, and
 * later a module for its analytics. With providers registered it renders nothing itself, so a few stubs are enough.
 * Import this first.
 */

interface Elements {
  length: number;
  width(): number;
  height(): number;
}

const none: Elements = { length: 0, width: () => window.innerWidth, height: () => window.innerHeight };
const $ = () => none;

Object.assign(window, {
  AJS: { $, contextPath: () => '', LayerManager: { global: { getTopLayer: () => null } } },
  __FEATUREGATES_JS__: {
    initializeCompleted: () => true,
    initializeCalled: () => true,
    checkGate: () => false,
    // The version that the bridge was built with: it refuses an older client.
    getPackageVersion: () => '4.23.4',
  },
  // One event in a hundred goes there; without it each of them leaves a stack trace in the console.
  require: () => ({ emitGasV3: () => undefined }),
});
