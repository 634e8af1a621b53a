/** Service `outputs` of the contract, and what running outputs report. */
import { emitter } from '../../contract/calls/emitter.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { Loupe } from '../../contract/contract.ts'
import { outputChange, outputInput } from '../../contract/services/outputs.ts'
import type { DeliveryState } from '../../contract/states/deliveryStates.ts'
import { message } from '../../contract/words/message.ts'
import { openDelivery } from '../../delivery/delivery.ts'
import { openOutputRuns } from '../../delivery/outputRuns.ts'
import { openOutputs, openUserConnectors, outputDocumentReader, type ReportOfOutput } from '../../delivery/outputs.ts'
import type { DeliveringParts } from './deliveringParts.ts'
import { deliveryReports } from './deliveryReports.ts'

interface OutputsParts extends DeliveringParts {
  archiveFolders: readonly string[]
  /** Names of the templates that name an output. */
  templatesNaming(output: string): string[]
}

/** Statuses that one transaction changes, so that other calls are answered in between. */
const pageStatusesMax = 1_000
/** Statuses of documents that are sent again when people ask for it. */
const retriedStates = ['DEAD', 'ERROR_DOC', 'ERROR'] as const satisfies readonly DeliveryState[]

export function openOutputsService(parts: OutputsParts): { service: Loupe['outputs']; close(): Promise<void> } {
  const { store, world, archive, jobsFolder, indexesFolder } = parts
  const changes = emitter<Record<string, never>>()
  const changed = <Result>(result: Result): Result => {
    changes.emit({})
    return result
  }
  const outputs = openOutputs(store, world.clock)
  const connectors = openUserConnectors(parts)
  const delivery = openDelivery({ store, world, archive, jobsFolder, indexesFolder })
  const reports = deliveryReports(parts.notifications, world.clock)
  const onReport = ({ output, report }: ReportOfOutput): void => {
    if (report.kind !== 'notTold') return reports(output, report)
    const problem = message('output.notTold', { name: output, problem: report.why })
    parts.notifications.report({ kind: 'deliveryFailed', message: problem })
  }
  const runs = openOutputRuns({ ...parts, onReport, onChanged: () => changes.emit({}) })
  const documentOf = outputDocumentReader(store)

  /** Documents in the state, a page at a time. */
  function* pagesIn(destination: number, state: DeliveryState): Generator<readonly number[]> {
    for (let after = 0; ;) {
      const page = delivery.list({ destination, state, after, limit: pageStatusesMax }).map(({ id }) => id)
      if (page.length === 0) return
      yield page
      after = page.at(-1) ?? after
    }
  }

  const service: Loupe['outputs'] = {
    list: async () => outputs.list(),
    show: async ({ name }) => outputs.show(name),
    async add(given) {
      const added = outputs.add(outputInput.parse(given))
      runs.begin()
      return changed(added)
    },
    edit: async ({ name, change }) => changed(outputs.edit(name, outputChange.parse(change))),
    async remove({ name }) {
      await outputs.remove(name, parts.templatesNaming)
      return changed({})
    },
    async check({ name }) {
      const problem = await runs.check(outputs.stored(name).name)
      return { isWorking: problem === undefined, status: problem ?? message('output.working') }
    },
    reingest: async ({ name }) => changed(outputs.reingest(name)),
    async retry({ name }) {
      const { destination } = outputs.stored(name)
      let retried = 0
      for (const state of retriedStates)
        for (const page of pagesIn(destination, state)) {
          retried += delivery.decide(page, 'RESTART')
          await new Promise((others) => setImmediate(others))
        }
      return changed({ retried })
    },
    document: async ({ name, url }) => documentOf(outputs.stored(name).id, url),
    ofJob: async ({ job }) => outputs.ofJob(job),
    connectors: async () => connectors.list(),
    async register({ name, module }) {
      await connectors.register(name, module)
      await runs.finishConnectors()
      const row = changed(connectors.one(name))
      if (row.problem) throw new Fault('badInput', row.problem, { fields: [['module']] })
      return row
    },
    async deregister({ name }) {
      connectors.deregister(name)
      await runs.finishConnectors()
      changes.emit({})
      const left = connectors.list().find((row) => row.name.toLowerCase() === name.toLowerCase())
      if (left?.problem) throw new Fault('refused', left.problem)
      return {}
    },
    changed: changes.on,
  }
  return { service, close: () => runs.close() }
}
