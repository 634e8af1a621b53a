/** The verbs `loupe serve` and `loupe view`, which run until Ctrl-C. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openEngine } from '../../../app/engine.ts'
import type { Loupe } from '../../../contract/contract.ts'
import { selectionMessage } from '../../../contract/shapes/selection.ts'
import { findChromium } from '../../server/chromium.ts'
import { builtInterface, serve } from '../../server/serve.ts'
import { stopped, unlessStopped, type Command, type ExitCode } from '../session/command.ts'
import type { SelectionAsked } from '../input/selectionOptions.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { userSettingsFile } from '../../places/userSettings.ts'

export async function serveArchive(
  command: Command,
  { port, open }: { port?: number; open?: boolean },
): Promise<ExitCode> {
  const { archiveFolder, version, output, onBug, onNotice, signal } = command
  const log = (text: string) => output.note(text)
  const serving = await serve({
    ...{ archiveFolder, accepts: 'archive', version, ...(port === undefined ? {} : { port }) },
    ...{ onBug, onNotice, log },
  })
  try {
    serving.engine.services.system.problem(({ message: problem }) => output.note(textOf(problem)))
    const commandProxy = commandProxyOf(await serving.engine.services.system.about({}))
    output.result({ url: serving.url, proxy: serving.proxy, commandProxy }, () =>
      [
        textFor('cli.serve.running', { archive: archiveFolder, url: serving.url, proxy: serving.proxy, commandProxy }),
        textFor('cli.serve.ctrlC'),
      ].join('\n'),
    )
    if (!existsSync(join(builtInterface, 'index.html'))) output.note(textFor('cli.serve.unbuilt'))
    if (open) {
      const chromium = findChromium()
      if (chromium.path === undefined) output.note(`${chromium.why} ${chromium.command}`)
      else await serving.openWindow(chromium.path)
    }
    await stopped(signal)
    return 130
  } finally {
    await serving.close()
  }
}

/** Formats the proxy with its credentials, as `http_proxy` and curl's `--proxy` take it. */
function commandProxyOf({ proxy, commandUser, commandToken }: Awaited<ReturnType<Loupe['system']['about']>>): string {
  return `http://${commandUser}:${commandToken}@${proxy}`
}

interface ViewWanted extends SelectionAsked {
  port: number | undefined
  at: string | undefined
  /** Whether only exact matches are shown. */
  exact: boolean | undefined
}

export async function view(command: Command, wanted: ViewWanted): Promise<ExitCode> {
  const { port = 0, at, exact = false, jobs, files, all } = wanted
  const { archiveFolder, version, output, onNotice, signal } = command
  const engine = await openEngine({
    ...{ archiveFolder, accepts: 'archive', shell: 'cli', version, run: false },
    ...{ onNotice, viewerPort: port, userSettingsFile: userSettingsFile() },
  })
  try {
    const { services } = engine
    const asked = { jobs, files, all, untilWhole: true, isExact: exact, ...(at !== undefined && { at }) }
    const opened = await unlessStopped(signal, services.viewer.open(asked))
    const about = await services.system.about({})
    const { proxy, certificate, commandHost } = about
    const commandProxy = commandProxyOf(about)
    const { count, first } = opened.filesMissing
    for (const { name, reason } of first) output.note(textFor('cli.serve.notShown', { file: name, problem: reason }))
    if (count > first.length) output.note(textFor('cli.serve.more', { files: count - first.length }))
    output.result({ proxy, certificate: certificate.path, commandHost, commandProxy }, () =>
      [
        textFor('cli.view.running', {
          ...{ captures: opened.captures, selection: selectionMessage(wanted) },
          ...{ proxy, certificate: certificate.path, commandHost, commandProxy },
          seeds: opened.seeds.join(' ') || (opened.url ?? message('cli.view.anyUrl')),
        }),
        textFor('cli.serve.ctrlC'),
      ].join('\n'),
    )
    await stopped(signal)
    return 130
  } finally {
    await engine.close()
  }
}
