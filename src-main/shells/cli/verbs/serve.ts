/** `loupe serve` and `loupe view`: they run until Ctrl-C. */
import { openEngine } from '../../../app/engine.ts'
import { findChromium } from '../../server/chromium.ts'
import { serve } from '../../server/serve.ts'
import type { Command, ExitCode } from '../command.ts'

export async function serveArchive(command: Command, { port, open }: { port: number; open: boolean }): Promise<ExitCode> {
  const { archiveFolder, version, output, onBug } = command
  const serving = await serve({ archiveFolder, version, port, onBug, log: (text) => output.note(text) })
  try {
    output.result({ url: serving.url, proxy: serving.proxy }, () => `Interface: ${serving.url}\nProxy for archived pages: ${serving.proxy}\nCtrl-C ends it.`)
    if (open) {
      const chromium = findChromium()
      if (chromium.path === undefined) output.note(`${chromium.why} ${chromium.command}`)
      else await serving.openWindow(chromium.path)
    }
    await aborted(command.signal)
    return 0
  } finally {
    await serving.close()
  }
}

export async function view(command: Command, { jobs, port, at }: { jobs: number[]; port: number; at: string | undefined }): Promise<ExitCode> {
  const { archiveFolder, version, output } = command
  const engine = await openEngine({ archiveFolder, shell: 'cli', version, run: false, ...(port > 0 ? { viewerPort: port } : {}) })
  try {
    const opened = await engine.services.viewer.open(at === undefined ? { jobs } : { jobs, at })
    const about = await engine.services.system.about({})
    output.result({ proxy: about.proxy, certificate: about.certificate.path, commandHost: about.commandHost }, () =>
      [
        `${opened.captures} captures of job ${opened.jobs.join(', ')} are shown through the proxy ${about.proxy}`,
        `Certificate for HTTPS: ${about.certificate.path}`,
        `Begin at: ${opened.seeds.join(' ')}`,
        'Ctrl-C ends it.',
      ].join('\n'),
    )
    await aborted(command.signal)
    return 0
  } finally {
    await engine.close()
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
