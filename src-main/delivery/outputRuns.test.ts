/** What an engine does by itself when it starts, before there is an output. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../storage/storage.ts'
import { realWorld } from '../world/real.ts'
import { openOutputRuns } from './outputRuns.ts'
import { openUserConnectors } from './outputs/connectors.ts'

test('what a kill interrupted is installed and deinstalled at the next start, and once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-output-runs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [world, databasePath, log] = [realWorld(), join(folder, 'loupe.db'), join(folder, 'log')]
  const store = openStore(databasePath)
  onTestFinished(() => store.close())
  const setting = { store, world, archiveFolders: [] }
  const connectors = openUserConnectors(setting)
  for (const name of ['kept', 'left']) {
    const note = (part: string) =>
      `export const ${part} = () => appendFileSync(${JSON.stringify(log)}, '${part} ${name}\\n')`
    const module = join(folder, `${name}.mjs`)
    writeFileSync(
      module,
      `import { appendFileSync } from 'node:fs'
       ${note('install')}; ${note('deinstall')}
       export const version = 1; export default () => ({})`,
    )
    await connectors.register(name, module)
  }
  // The kill comes here: nothing has been called yet.
  connectors.deregister('left')
  const starts = async (isEngine: boolean): Promise<void> => {
    const problems: unknown[] = []
    const changed = Promise.withResolvers<void>()
    const runs = openOutputRuns({
      ...{ ...setting, databasePath, isEngine, replicas: [], jobsFolder: folder, indexesFolder: folder },
      ...{ ready: new Promise<void>(() => undefined), onReport: () => undefined, onChanged: changed.resolve },
      onProblem: (error) => void problems.push(error),
    })
    if (isEngine) await changed.promise
    await runs.close()
    expect(problems).toEqual([])
  }
  await starts(false)
  expect(connectors.list().map(({ state }) => state)).toEqual(['INSTALLING', 'DEINSTALLING'])
  await starts(true)
  expect(connectors.list()).toMatchObject([{ name: 'kept', state: 'INSTALLED', version: '1' }])
  await starts(true)
  expect(readFileSync(log, 'utf8')).toBe('install kept\ndeinstall left\n')
})
