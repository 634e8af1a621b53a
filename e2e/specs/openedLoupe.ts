/** Starts Loupe for a spec as a user sees it: the engine with a new archive and the application's window in a real Chromium.
 *  Also checks that apply to every screen. The spec provides the content of the archive. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'
import { serve, type Serving } from '../../src-main/shells/server/serve.ts'
import { openAppWindow, type AppWindow } from '../appWindow.ts'

/** A running Loupe with its window. */
export interface OpenedLoupe {
  /** A temporary folder that is removed when the spec ends. */
  folder: string
  /** The archive's folder inside `folder`. */
  archive: string
  /** The current server; a restart replaces it. */
  readonly serving: Serving
  readonly page: Page
  /** Stops Loupe and its window, calls `between`, and starts both with the same archive. */
  restart(between: () => Promise<void> | void): Promise<void>
  /** Expects that no bug was reported by the engine and no error by the page. */
  expectNoBugs(): void
  close(): Promise<void>
}

/** Starts Loupe and opens its window. `prepare` makes what must exist before the engine starts, such as its settings. `open` opens
 *  the window; by default as the launcher does. */
export async function openLoupe(
  name: string,
  prepare: (folder: string, archive: string) => Promise<void> = async () => undefined,
  open: (serving: Serving) => Promise<AppWindow> = ({ openWindow }) => openAppWindow(openWindow),
): Promise<OpenedLoupe> {
  const folder = await mkdtemp(join(tmpdir(), `loupe-${name}-`))
  const archive = join(folder, 'archive')
  const bugs: unknown[] = []
  const problems: string[] = []
  await prepare(folder, archive)

  async function start() {
    const serving = await serve({
      archiveFolder: archive,
      version: '0.0.0',
      port: 0,
      onBug: (error) => bugs.push(error),
      log: () => undefined,
    })
    const window = await open(serving)
    window.page.on('pageerror', (error) => problems.push(error.message))
    // The address carries the access token until the interface has taken it. A spec that reloads the page or changes its hash before that
    // would lose the token.
    await window.page.waitForURL(({ protocol, hash }) => protocol === 'http:' && !hash.includes('token='), {
      timeout: 0,
    })
    return { serving, window }
  }

  let running = await start()

  async function stop(): Promise<void> {
    await running.window.close()
    await running.serving.close()
  }

  return {
    folder,
    archive,
    get serving() {
      return running.serving
    },
    get page() {
      return running.window.page
    },
    async restart(between) {
      await stop()
      await between()
      running = await start()
    },
    expectNoBugs() {
      expect(bugs).toEqual([])
      expect(problems).toEqual([])
    },
    async close() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Imports one file as a job and waits for its end. Returns the number of the job. */
export async function importFile({ folder, serving }: OpenedLoupe, name: string, bytes: Uint8Array): Promise<number> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  const { harvests, jobs } = serving.engine.services
  const { job } = await harvests.import({ paths: [path] })
  await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
  return job
}

/** Enters an address in the viewer. */
export async function goToArchived(shown: Page, url: string): Promise<void> {
  const address = shown.getByRole('combobox', { name: 'Page URL' })
  await address.fill(url)
  await address.press('Enter')
}

/** The archived page in the current tab of the viewer. */
export function archivedPage(shown: Page): FrameLocator {
  return shown.frameLocator('iframe[title="Archived page"]:not([hidden])')
}

/** Adds jobs to the one that is chosen already. */
export async function chooseJobs(form: Locator, chosen: number, others: readonly number[]): Promise<void> {
  await expect(form.getByText(`${chosen} · `)).toBeVisible()
  await form.getByRole('combobox', { name: 'Jobs' }).click()
  const options = form.page().getByRole('option')
  for (const job of others) await options.filter({ hasText: new RegExp(`^${job} · `) }).click()
  await form.page().keyboard.press('Escape')
}

/** Checks a screen for WCAG 2 A and AA as far as that can be automated. Archived content is excluded. */
export async function expectAccessible(shown: Page): Promise<void> {
  // The document keeps axe until the page is reloaded, because transferring its half megabyte takes as long as a run.
  if (!(await shown.evaluate(() => 'axe' in window))) await shown.evaluate(`${axe.source}; undefined`)
  expect(await shown.evaluate(violations)).toEqual([])
}

/** Checks a screen in the light and in the dark colour scheme. */
export async function expectAccessibleInBoth(shown: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await shown.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The interface changes its colours in one of the next frames.
    await expect(shown.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    await expectAccessible(shown)
  }
}

/** Runs axe; called in the page. Returns a line per violated rule: its name, and each element with its problem. */
async function violations(): Promise<string[]> {
  // During a transition the colours are not final. The end of one can begin that of a child, which inherits the colour. A movement that
  // does not end, such as the progress of a running job, ends the wait after some frames.
  for (let frames = 0; frames < 300; frames += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const isMoving = document
      .getAnimations()
      .some(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
    if (!isMoving) break
  }
  // A description of every element that passes takes most of the time of a run, and is not needed.
  const options: RunOptions = { runOnly: ['wcag2a', 'wcag2aa'], resultTypes: ['violations'], iframes: false }
  const found = await (window as unknown as { axe: typeof axe }).axe.run({ exclude: [['iframe']] }, options)
  const described = ({ html, failureSummary = '' }: { html: string; failureSummary?: string }) =>
    `${html} ${failureSummary}`
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(described).join(' ')}`)
}

/** Unfolds a section of a form unless it is open. */
export async function openPart(shown: Page, title: string): Promise<void> {
  const summary = shown.locator('summary').filter({ has: shown.getByText(title, { exact: true }) })
  if ((await summary.locator('..').getAttribute('open')) === null) await summary.press('Enter')
}

/** Opens a tab of the job that is shown. */
export async function openJobTab(shown: Page, name: string): Promise<void> {
  const tabs = shown.getByRole('navigation', { name: 'Parts of the job' })
  await tabs.getByRole('link', { name, exact: true }).click()
  await expect(tabs.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page')
}
