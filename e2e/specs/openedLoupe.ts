/** Loupe as a person has it in front of them, for the specs: the engine over an archive of its own, the application's window
 *  in a real Chromium, and what must hold of every screen. What a spec puts into the archive is the spec's business. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import { serve, type Serving } from '../../src-main/shells/server/serve.ts'
import { openAppWindow, type AppWindow } from '../appWindow.ts'

export interface OpenedLoupe {
  /** Made for this spec and removed at its end. */
  folder: string
  /** The archive's folder in it. */
  archive: string
  /** Those of now: a restart brings others. */
  readonly serving: Serving
  readonly page: Page
  /** Ends Loupe and its window, does something to what lies there, and starts both over the same archive. */
  restart(between: () => Promise<void> | void): Promise<void>
  /** Nothing went wrong that nobody was told of: no bug in the engine, no error in the page. */
  expectNoBugs(): void
  close(): Promise<void>
}

/** `prepare`: what must be there before the engine starts, its settings for one. `open`: its window, as the launcher opens it unless said
 *  otherwise. */
export async function openLoupe(
  name: string,
  prepare: (folder: string, archive: string) => Promise<void> = async () => undefined,
  open: (serving: Serving) => Promise<AppWindow> = ({ openWindow }) => openAppWindow(openWindow),
): Promise<OpenedLoupe> {
  const folder = await mkdtemp(join(tmpdir(), `loupe-${name}-`))
  const archive = join(folder, 'archive')
  const bugs: unknown[] = []
  const complaints: string[] = []
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
    window.page.on('pageerror', (error) => complaints.push(error.message))
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
      expect(complaints).toEqual([])
    },
    async close() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** As one job, which has ended when this resolves. Gives its number. */
export async function importFile({ folder, serving }: OpenedLoupe, name: string, bytes: Uint8Array): Promise<number> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  const { harvests, jobs } = serving.engine.services
  const { job } = await harvests.import({ paths: [path] })
  await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
  return job
}

/** In the viewer. */
export async function goToArchived(shown: Page, url: string): Promise<void> {
  const address = shown.getByRole('combobox', { name: 'Page URL' })
  await address.fill(url)
  await address.press('Enter')
}

/** The archived page of the tab that is shown. */
export function archivedPage(shown: Page): FrameLocator {
  return shown.frameLocator('iframe[title="Archived page"]:not([hidden])')
}

/** Beside the one that is chosen already. */
export async function chooseJobs(form: Locator, chosen: number, others: readonly number[]): Promise<void> {
  await expect(form.getByText(`${chosen} · `)).toBeVisible()
  await form.getByRole('combobox', { name: 'Jobs' }).click()
  const options = form.page().getByRole('option')
  for (const job of others) await options.filter({ hasText: new RegExp(`^${job} · `) }).click()
  await form.page().keyboard.press('Escape')
}

/** WCAG 2 A and AA, as far as a machine can tell; what is archived is not ours to mend. */
export async function expectAccessible(shown: Page): Promise<void> {
  // What is fading in or out has colours on its way that are nobody's to judge.
  await shown.evaluate(() => {
    const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    return Promise.allSettled(moving.map(({ finished }) => finished))
  })
  const { violations } = await new AxeBuilder({ page: shown })
    .setLegacyMode()
    .exclude('iframe')
    .withTags(['wcag2a', 'wcag2aa'])
    .analyze()
  const told = ({ html, failureSummary }: { html: string; failureSummary?: string }) =>
    `${html} ${failureSummary ?? ''}`
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(told).join(' ')}`)).toEqual([])
}

/** In both looks: their colours are two sets, and each must be told apart. */
export async function expectAccessibleInBoth(shown: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await shown.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The interface hears of it with one of the next frames; until then it has colours of the other look, or of both.
    await expect(shown.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    await expectAccessible(shown)
  }
}

/** Opens a part of a form that is folded away; one that is open stays so. */
export async function openPart(shown: Page, title: string): Promise<void> {
  const summary = shown.locator('summary').filter({ has: shown.getByText(title, { exact: true }) })
  if ((await summary.locator('..').getAttribute('open')) === null) await summary.press('Enter')
}
