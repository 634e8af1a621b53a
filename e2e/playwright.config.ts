/** Configures the specs, in a real browser (server shell) and in Electron where its binary is installed. Two files run at a time: a
 *  spec mostly waits for one of its engine, its site and its browser, and the smallest machine has two cores. */
import { defineConfig } from '@playwright/test'
import { chosenSample } from './chosenSample.ts'
import { ownChildren } from './ownedProcesses.ts'

// The process of each worker reads this file, too.
ownChildren()
// Needed before the specs are listed, since the sample determines which tests exist.
chosenSample()

export default defineConfig({
  testDir: 'specs',
  globalSetup: './testRun.ts',
  outputDir: '../test-results',
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // Generous enough for a busy machine that is ten times slower than the smallest known one.
  timeout: 400_000,
  expect: { timeout: 150_000 },
  reporter: process.env['LOUPE_E2E_REPORT']
    ? [['list'], ['json', { outputFile: process.env['LOUPE_E2E_REPORT'] }]]
    : 'list',
  // `*.browser.spec.ts` and `*.electron.spec.ts` name their project in the file name; all other specs run in both.
  projects: [
    { name: 'browser', testIgnore: '**/*.electron.spec.ts' },
    { name: 'electron', testIgnore: '**/*.browser.spec.ts' },
  ],
})
