/** Checks whether a connection can be used now, as ManifoldCF's check of a connection. It sends no request to a site: robots.txt and
 *  politeness belong to the jobs. */
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { ConnectionCheck } from '../../contract/services/connections.ts'
import { Fault, userMessageOf } from '../../contract/calls/faults.ts'
import { patternProblem } from '../../contract/shapes/pattern.ts'
import { joined } from '../../contract/words/joined.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { openConnectors } from '../capture/connectors/installed.ts'
import { refuseUnusableModule } from '../capture/connectors/moduleCheck.ts'
import { blockerOf } from '../model/blocker.ts'
import { lackOfSpace, type SpaceSetting } from '../model/space.ts'
import { connectionUserStatements } from './connections.sql.ts'
import type { RepositoryConnection, StoredConnection } from './storedConnection.ts'

/** What a connection may need. */
export interface CheckSetting extends SpaceSetting {
  store: Store
  world: World
  /** Folders of the archive and of its replicas, from which no code is run. */
  archiveFolders: readonly string[]
  archive: Pick<Archive, 'places'>
}

/** Most problems in one answer. */
const problemsNamedMax = 5

const seedsShape = z.array(z.string())

/** Checks a connection. Returns "Connection working", or what is wrong and what to do. */
export async function checkConnection(setting: CheckSetting, connection: StoredConnection): Promise<ConnectionCheck> {
  const lacking = connectorProblem(setting.store, connection)
  const problems = lacking ? [lacking] : await problemsOf(setting, connection)
  if (problems.length === 0) return { isWorking: true, status: message('connection.working') }
  return { isWorking: false, status: joined(problems.slice(0, problemsNamedMax)) }
}

function connectorProblem(store: Store, { settings }: StoredConnection): Message | undefined {
  const row = openConnectors(store)
    .list()
    .find(({ name }) => name === settings.connector)
  return row ? (row.problem ?? undefined) : message('connector.unknown', { name: settings.connector })
}

function problemsOf(setting: CheckSetting, connection: StoredConnection): Promise<Message[]> | Message[] {
  if (connection.kind === 'output') return connection.settings.connector === 'archive' ? archiveProblems(setting) : []
  const wrong = patternProblems(connection)
  switch (connection.settings.connector) {
    case 'folder':
      return folderProblems(setting, connection, wrong)
    case 'module':
      return moduleProblems(setting, connection, wrong)
    default:
      return wrong
  }
}

function patternProblems({ throttles }: RepositoryConnection): Message[] {
  return throttles.flatMap(({ match: pattern }) => {
    const problem = patternProblem(pattern)
    return problem === null ? [] : [message('connection.pattern', { pattern, problem })]
  })
}

/** Captures are written to the folder of the jobs, and then to every replica. */
async function archiveProblems(setting: CheckSetting): Promise<Message[]> {
  const space = await lackOfSpace(setting)
  const replicas = await Promise.all(setting.archive.places.map((place) => place.problem()))
  return [...(space ? [space.message] : []), ...replicas.flatMap((problem) => problem ?? [])]
}

/** Loads the module. */
async function moduleProblems(
  setting: CheckSetting,
  { settings }: RepositoryConnection,
  problems: readonly Message[],
): Promise<Message[]> {
  try {
    await refuseUnusableModule(setting, settings, [])
    return [...problems]
  } catch (error) {
    if (error instanceof Fault) return [...problems, userMessageOf(error)]
    throw error
  }
}

/** Looks at the first folders of the jobs. */
async function folderProblems(
  { store, world }: CheckSetting,
  { name }: RepositoryConnection,
  problems: readonly Message[],
): Promise<Message[]> {
  const found = [...problems]
  for (const { job, seeds } of connectionUserStatements(store, 'repository').seeds.all({ name }))
    for (const seed of seedsShape.parse(JSON.parse(seeds))) {
      const problem = await folderProblem(world, { job, path: fileURLToPath(seed) })
      if (problem) found.push(problem)
      if (found.length >= problemsNamedMax) return found
    }
  return found
}

async function folderProblem(
  { disk }: Pick<World, 'disk'>,
  { job, path }: { job: number; path: string },
): Promise<Message | undefined> {
  try {
    const entry = await disk.stat(path)
    return entry?.kind === 'folder' ? undefined : message('connection.noFolder', { path, job })
  } catch (error) {
    const blocker = blockerOf(error)
    if (!blocker) throw error
    return message('connection.folderUnreadable', { path, job, problem: blocker.message })
  }
}
