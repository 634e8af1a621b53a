import { defineConfig } from 'vitest/config'

/** Configures the long-running tests (`npm run kill`), which are not part of `npm test`. LOUPE_SEED sets the seed of their random
 *  numbers. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.campaign.ts'],
    globalSetup: ['e2e/testRun.ts'],
    setupFiles: ['e2e/ownChildren.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
  },
})
