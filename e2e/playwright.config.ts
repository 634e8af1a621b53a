/** The specs in a real browser (server shell) and in Electron where its binary is. One worker: a spec starts an engine, a
 *  site and a browser, and two of those beside each other only slow each other down on the smallest machine. */
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'specs',
  outputDir: '../test-results',
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: process.env['LOUPE_E2E_REPORT']
    ? [['list'], ['json', { outputFile: process.env['LOUPE_E2E_REPORT'] }]]
    : 'list',
  // `browser.spec.ts` and `electron.spec.ts` name their project in the file; everything else runs in both.
  projects: [
    { name: 'browser', testIgnore: '**/*.electron.spec.ts' },
    { name: 'electron', testIgnore: '**/*.browser.spec.ts' },
  ],
})
