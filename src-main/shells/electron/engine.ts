/**
 * The engine in Electron's utility process: opens the archive, answers calls, sends every event. It has no window or menu and uses nothing
 * of Electron but the port to the main process, so a long check never delays the interface.
 */
import { contract } from '../../contract/contract.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { leastRoles } from '../../contract/roles.ts'
import { eventNames, replyTo, subscribe } from '../../contract/calls/service.ts'
import { openEngine, type Engine } from '../../app/engine.ts'
import { openPageBrowser } from '../server/pageBrowser.ts'
import { separateBrowsers } from '../server/separateBrowsers.ts'
import { sealingKeyVariable } from './sealingKey.ts'
import type { EngineStart, FromEngine, ToEngine } from './engineWire.ts'
import { textFor } from '../../contract/words/render.ts'
import { userSettingsFile } from '../places/userSettings.ts'

const port = process.parentPort
const send = (message: FromEngine) => port.postMessage(message)

/** Answers calls of the main process and forwards every event to it, until it asks to close. */
function answerCalls({ implementation: services, operator, close }: Engine): void {
  const onBug = (error: unknown, name: string) => console.error(`Internal error in ${name}:`, error)
  const offered = { contract, services, leastRoles, onBug }
  const reply = replyTo(offered)
  const take = async (message: ToEngine) => {
    if (message.kind === 'call')
      return send({ kind: 'reply', id: message.id, reply: await reply(message.name, message.input, operator) })
    await close()
    send({ kind: 'closed' })
  }
  port.on('message', ({ data }: { data: ToEngine }) => void take(data))
  for (const name of eventNames(contract))
    subscribe(offered, name, operator, (payload) => send({ kind: 'event', name, payload }))
}

/** Opens the engine, and reports that it is ready. */
async function run({ archiveFolder, version, allowedOrigins }: EngineStart): Promise<void> {
  const sealingKey = process.env[sealingKeyVariable]
  // Threads and programs that the engine starts must not inherit the key.
  Reflect.deleteProperty(process.env, sealingKeyVariable)
  const sealing = sealingKey === undefined ? {} : { sealingKey }
  const browsers = separateBrowsers(archiveFolder)
  const engine = await openEngine({
    ...{ archiveFolder, shell: 'electron', version, run: true, allowedOrigins, ...sealing },
    userSettingsFile: userSettingsFile(),
    onNotice: (sentence) => console.error(sentence),
    openPageBrowser,
    startBrowser: browsers.start,
  })
  await browsers.clearUp()
  answerCalls(engine)
  send({ kind: 'ready', viewer: engine.viewer, spkiSha256: engine.spkiSha256 })
}

try {
  // The only argument, given by the main process of the same build.
  await run(JSON.parse(process.argv[2] ?? '{}') as EngineStart)
} catch (error) {
  send({
    kind: 'failed',
    text: error instanceof Fault ? error.message : textFor('shell.engineUnstartable', { problem: String(error) }),
  })
  if (!(error instanceof Fault)) throw error
}
