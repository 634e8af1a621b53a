import { defineConfig } from 'vitest/config'

/** Limit of one test, so generous that a busy machine ten times slower than the smallest we know passes. A test that needs more
 *  sets its own limit. */
const patienceMs = 240_000

/** Tests that change their process or measure it, or that start the program. */
const alone = [
  'e2e/**/*.test.ts',
  'src-main/*.test.ts',
  'src-main/{shells,simulation,world}/**/*.test.ts',
  'src-main/crawl/capture/{connectors/module,originals/moduleOriginals}.test.ts',
  'src-main/crawl/model/memory.test.ts',
  'src-main/indexes/text/hostileText.test.ts',
  'src-main/viewer/{proxy/http2Session,viewings/manyViewings}.test.ts',
]
/** All others leave no state in their process, which loads for all of them what they share: half of the time of a process for each. */
const sharing = ['src-main/**/*.test.ts', 'src-renderer/**/*.test.{ts,tsx}']

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
      { extends: true, test: { name: 'shared process', include: sharing, exclude: alone, isolate: false } },
      { extends: true, test: { name: 'own process', include: alone } },
    ],
  },
})
