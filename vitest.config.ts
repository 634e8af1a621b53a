import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src-main/**/*.test.ts', 'src-renderer/**/*.test.{ts,tsx}', 'e2e/**/*.test.ts'],
    // Two cores are what the smallest machine has; each test file gets a process of its own.
    maxWorkers: 2,
    testTimeout: 60_000,
  },
})
