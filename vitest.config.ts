import { defineConfig } from 'vitest/config'

/** Limit of one test, so generous that a busy machine ten times slower than the smallest we know passes. A test that needs more
 *  sets its own limit. */
const patienceMs = 240_000

/** Tests that leave no state in their process: one process runs them all, in a fifth of the time. */
const sharing = ['src-main/contract/**/*.test.ts', 'src-renderer/**/*.test.{ts,tsx}']

export default defineConfig({
  test: {
    globalSetup: ['e2e/testRun.ts'],
    setupFiles: ['e2e/propertySeed.ts', 'e2e/ownChildren.ts'],
    // Two cores are what the smallest machine has.
    maxWorkers: 2,
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    teardownTimeout: patienceMs,
    expect: { poll: { timeout: patienceMs / 4 } },
    // The report of `npm test` has the messages only, so that they show what was compared.
    chaiConfig: { truncateThreshold: 2_000 },
    projects: [
      { extends: true, test: { name: 'shared process', include: sharing, isolate: false } },
      {
        extends: true,
        test: {
          name: 'own process',
          include: ['src-main/**/*.test.ts', 'e2e/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...sharing],
        },
      },
    ],
  },
})
