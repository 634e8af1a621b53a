/** The specs in a real browser (server shell) and in Electron where its binary is. Two files at a time: a spec mostly waits for one of
 *  its engine, its site and its browser, and the smallest machine has two cores. */
import { defineConfig } from '@playwright/test'
import { ownChildren } from './ownedProcesses.ts'

// Read by the process of each worker, too.
ownChildren()

export default defineConfig({
  testDir: 'specs',
  globalSetup: './testRun.ts',
  outputDir: '../test-results',
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // A machine ten times slower than the smallest we know, with something else to do, fails no spec by that.
  timeout: 400_000,
  expect: { timeout: 60_000 },
  reporter: process.env['LOUPE_E2E_REPORT']
    ? [['list'], ['json', { outputFile: process.env['LOUPE_E2E_REPORT'] }]]
    : 'list',
  // `browser.spec.ts` and `electron.spec.ts` name their project in the file; everything else runs in both.
  projects: [
    { name: 'browser', testIgnore: '**/*.electron.spec.ts' },
    { name: 'electron', testIgnore: '**/*.browser.spec.ts' },
  ],
})
