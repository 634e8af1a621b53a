/** Service `harvests` of the contract: requests become jobs, and the crawl does the rest. */
import { textOf } from '../../contract/words/render.ts'
import { harvestDefinition, type HarvestDefinition } from '../../contract/services/definition.ts'
import type { Loupe } from '../../contract/contract.ts'
import { Fault, inPart, type FieldPath } from '../../contract/calls/faults.ts'
import { refuseUnusableModule, type Credentials, type Definitions, type Imports, type Jobs } from '../../crawl/crawl.ts'
import type { World } from '../../world/world.ts'
import { sampleHost, serveSample, type SampleSite } from './sampleSite.ts'
import type { Signals } from '../signals/signals.ts'
import { message } from '../../contract/words/message.ts'

interface Parts {
  jobs: Jobs
  definitions: Definitions
  imports: Imports
  credentials: Pick<Credentials, 'has'>
  world: World
  signals: Signals
  /** Folders of the archive and of its replicas, from which no code is run. */
  archiveFolders: readonly string[]
  /** Until this resolves, the number of a new job might already be part of the name of a file. */
  settled: Promise<void>
}

/** The service, and the function that closes what it has opened. */
export interface Harvests {
  service: Loupe['harvests']
  close(): Promise<void>
}

/** Opens the service. Starts the sample site again when a harvest of it was interrupted. */
export async function openHarvests({
  jobs,
  definitions,
  imports,
  credentials,
  world,
  signals,
  archiveFolders,
  settled,
}: Parts): Promise<Harvests> {
  let site: SampleSite | undefined

  /** Serves the sample again for its harvest that a kill interrupted, at the port with which it began. */
  async function resumeSample(): Promise<void> {
    for (const job of jobs.running()) {
      const port = /:(\d+)$/.exec(jobs.show(job).definition.resolve[sampleHost] ?? '')?.[1]
      if (port !== undefined) site ??= await serveSample(world, Number(port))
    }
  }

  function created(job: number): { job: number } {
    signals.report({ kind: 'changed', job })
    return { job }
  }

  /** Refuses a definition that names an unknown credential, or a module that cannot be used: otherwise its first page would fail much
   *  later. */
  async function checked(definition: HarvestDefinition, part: FieldPath = []): Promise<HarvestDefinition> {
    definition.login?.areas.forEach(({ credential }, at) => {
      if (credentials.has(credential)) return
      throw new Fault('badInput', message('credential.absent', { name: credential }), {
        fields: [[...part, 'login', 'areas', at, 'credential']],
      })
    })
    const source = definition.connectors?.repository
    await refuseUnusableModule({ world, archiveFolders }, source, [...part, 'connectors', 'repository'])
    return definition
  }

  await resumeSample()
  return {
    service: {
      async create(definition) {
        const given = await checked(harvestDefinition.parse(definition))
        await settled
        return created(jobs.create(given))
      },
      async edit({ job, definition }) {
        const part = ['definition']
        const given = await checked(harvestDefinition.parse(definition), part)
        const edited = inPart(part, () => definitions.edit(job, given))
        signals.report({ kind: 'changed', job })
        return edited
      },
      async openSample() {
        site ??= await serveSample(world, 0)
        await settled
        const definition = harvestDefinition.parse({
          seeds: [`http://${sampleHost}/`],
          name: textOf(message('sample.name')),
          delayMs: 0,
          resolve: { [sampleHost]: `127.0.0.1:${site.port}` },
        })
        return created(jobs.create(definition))
      },
      async import({ paths }) {
        await settled
        return created(jobs.createImport(paths))
      },
      imported: async ({ job }) => imports.ofJob(jobs.summary(job).job),
      importFindings: async ({ offset = 0, limit = 200, ...query }) =>
        imports.findings({ ...query, job: jobs.summary(query.job).job, offset, limit }),
      importChanged: (onPayload) => signals.onImport(onPayload),
    },
    close: async () => site?.close(),
  }
}
