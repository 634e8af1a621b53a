import { defineConfig } from 'vitest/config'

/** A machine ten times slower than the smallest we know, with something else to do, fails no test by that. What takes longer
 *  than this by what it does says so beside itself. */
const patienceMs = 240_000

export default defineConfig({
  test: {
    include: ['src-main/**/*.test.ts', 'src-renderer/**/*.test.{ts,tsx}', 'e2e/**/*.test.ts'],
    globalSetup: ['e2e/testRun.ts'],
    setupFiles: ['e2e/propertySeed.ts', 'e2e/ownChildren.ts'],
    // Two cores are what the smallest machine has; each test file gets a process of its own.
    maxWorkers: 2,
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    teardownTimeout: patienceMs,
    expect: { poll: { timeout: patienceMs / 4 } },
  },
})
