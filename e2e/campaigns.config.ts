/** Configures vitest for the campaigns (`npm run kill`), tests that take too long to run after every change. LOUPE_SEED sets the seed
 *  of their random numbers. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['e2e/**/*.campaign.ts'],
    globalSetup: ['e2e/testRun.ts'],
    setupFiles: ['e2e/ownChildren.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
  },
})
