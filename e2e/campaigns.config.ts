import { defineConfig } from 'vitest/config'

/** What takes longer than every change should wait for: `npm run kill`. Seeds come from LOUPE_SEED. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.campaign.ts'],
    globalSetup: ['e2e/testRun.ts'],
    setupFiles: ['e2e/ownChildren.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
  },
})
