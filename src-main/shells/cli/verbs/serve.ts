/** The verbs `loupe serve` and `loupe view`, which run until Ctrl-C. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openEngine } from '../../../app/engine.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import type { Loupe } from '../../../contract/contract.ts'
import { selectionMessage } from '../../../contract/shapes/selection.ts'
import { findChromium } from '../../server/chromium.ts'
import type { IdentityProviderSetting } from '../../server/identityProvider.ts'
import type { PublicSetting } from '../../server/publicPort.ts'
import { openRewrittenReplay, type RewrittenReplay } from '../../server/rewrittenReplay.ts'
import type { TrustedProxySetting } from '../../server/trustedProxy.ts'
import { builtInterface, serve } from '../../server/serve.ts'
import { stopped, unlessStopped, type Command, type ExitCode } from '../session/command.ts'
import type { SelectionAsked } from '../input/selectionOptions.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { userSettingsFile } from '../../places/userSettings.ts'

/** Options of `loupe serve`. */
export interface ServeVerbOptions {
  port?: number
  open?: boolean
  host?: string
  publicPort?: number
  name?: string[]
  tlsCertificate?: string
  tlsKey?: string
  trustedProxySecretFile?: string
  accountHeader?: string
  oidcIssuer?: string
  oidcClientId?: string
  oidcClientSecretFile?: string
  oidcName?: string
  oidcClaim?: string
  insecureHttp?: boolean
}

export async function serveArchive(command: Command, options: ServeVerbOptions): Promise<ExitCode> {
  const { port, open } = options
  const atPublic = publicOf(options)
  const { archiveFolder, version, output, onBug, onNotice, signal } = command
  const log = (text: string) => output.note(text)
  const serving = await serve({
    ...{ archiveFolder, accepts: 'archive', version, ...(port === undefined ? {} : { port }) },
    ...{ onBug, onNotice, log },
    ...(atPublic && { public: atPublic }),
  })
  try {
    serving.engine.services.system.problem(({ message: problem }) => output.note(textOf(problem)))
    const commandProxy = commandProxyOf(await serving.engine.services.system.about({}))
    const { url, publicUrl = null, proxy, rewritten } = serving
    output.result({ url, publicUrl, proxy, rewritten, commandProxy }, () =>
      [
        textFor('cli.serve.running', { archive: archiveFolder, url, proxy, rewritten, commandProxy }),
        ...(publicUrl === null ? [] : [textFor('cli.serve.public', { url: publicUrl })]),
        textFor('cli.serve.ctrlC'),
      ].join('\n'),
    )
    if (publicUrl !== null && !serving.engine.accounts.isAny()) output.note(textFor('cli.serve.noAccounts'))
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

/** Where accounts log in. Throws `Fault` badInput for options that do not belong together. */
function publicOf(options: ServeVerbOptions): PublicSetting | undefined {
  const { host, publicPort: port = 0, name: names = [], tlsCertificate, tlsKey, insecureHttp = false } = options
  if ((tlsCertificate === undefined) !== (tlsKey === undefined)) throw new Fault('badInput', message('server.tlsBoth'))
  if (host === undefined) {
    const ofThisMachine = ['port', 'open']
    if (Object.keys(options).some((name) => !ofThisMachine.includes(name)))
      throw new Fault('badInput', message('cli.serve.noHost'))
    return undefined
  }
  const tls =
    tlsCertificate === undefined || tlsKey === undefined
      ? undefined
      : { certificate: resolve(tlsCertificate), key: resolve(tlsKey) }
  const [proxy, provider] = [proxyOf(options), providerOf(options)]
  if (provider && proxy?.accountHeader !== undefined) throw new Fault('badInput', message('provider.twice'))
  return { host, port, names, tls, isInsecure: insecureHttp, ...(proxy && { proxy }), ...(provider && { provider }) }
}

/** The identity provider. Throws `Fault` badInput where a part of it is missing. */
function providerOf(options: ServeVerbOptions): IdentityProviderSetting | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecretFile: file, oidcName, oidcClaim } = options
  if ([issuer, clientId, file, oidcName, oidcClaim].every((each) => each === undefined)) return undefined
  if (issuer === undefined || clientId === undefined || file === undefined)
    throw new Fault('badInput', message('provider.all'))
  return {
    ...{ issuer, clientId, clientSecretFile: resolve(file) },
    ...(oidcName !== undefined && { name: oidcName }),
    ...(oidcClaim !== undefined && { accountClaim: oidcClaim }),
  }
}

/** The server in front. Throws `Fault` badInput for a header that every client could send. */
function proxyOf(options: ServeVerbOptions): TrustedProxySetting | undefined {
  const { trustedProxySecretFile: secretFile, accountHeader } = options
  if (secretFile !== undefined)
    return { secretFile: resolve(secretFile), ...(accountHeader !== undefined && { accountHeader }) }
  if (accountHeader !== undefined) throw new Fault('badInput', message('proxy.noSecret'))
  return undefined
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
  const { archiveFolder, version, output, onBug, onNotice, signal } = command
  const engine = await openEngine({
    ...{ archiveFolder, accepts: 'archive', shell: 'cli', version, run: false },
    ...{ onNotice, viewerPort: port, userSettingsFile: userSettingsFile() },
  })
  let replay: RewrittenReplay | undefined
  try {
    const { services } = engine
    const asked = { jobs, files, all, untilWhole: true, isExact: exact, ...(at !== undefined && { at }) }
    const opened = await unlessStopped(signal, services.viewer.open(asked))
    const about = await services.system.about({})
    const { proxy, certificate, commandHost } = about
    replay = await openRewrittenReplay({ engine, onBug, log: (text) => output.note(text) })
    const rewritten = replay.address
    const commandProxy = commandProxyOf(about)
    const { count, first } = opened.filesMissing
    for (const { name, reason } of first) output.note(textFor('cli.serve.notShown', { file: name, problem: reason }))
    if (count > first.length) output.note(textFor('cli.serve.more', { files: count - first.length }))
    output.result({ proxy, rewritten, certificate: certificate.path, commandHost, commandProxy }, () =>
      [
        textFor('cli.view.running', {
          ...{ captures: opened.captures, selection: selectionMessage(wanted) },
          ...{ proxy, rewritten, certificate: certificate.path, commandHost, commandProxy },
          seeds: opened.seeds.join(' ') || (opened.url ?? message('cli.view.anyUrl')),
        }),
        textFor('cli.serve.ctrlC'),
      ].join('\n'),
    )
    await stopped(signal)
    return 130
  } finally {
    await replay?.close()
    await engine.close()
  }
}
