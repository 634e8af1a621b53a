import { defineConfig } from 'vitest/config'

/** A machine ten times slower than the smallest we know, with something else to do, fails no test by that. What takes longer
 *  than this by what it does says so beside itself. */
const patienceMs = 240_000

/** They leave nothing in their process: one process runs them all, which takes a fifth of the time. */
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
    projects: [
      { extends: true, test: { name: 'sharing a process', include: sharing, isolate: false } },
      {
        extends: true,
        test: {
          name: 'a process each',
          include: ['src-main/**/*.test.ts', 'e2e/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...sharing],
        },
      },
    ],
  },
})
