/** The output connections of an archive: listed, added, changed and removed, with the counts of their documents. */
import { Fault } from '../../contract/calls/faults.ts'
import {
  outputSettings,
  type OutputChange,
  type OutputCounts,
  type OutputInput,
  type OutputOfJob,
  type OutputRow,
} from '../../contract/services/outputs.ts'
import { outputsMax } from '../../contract/shapes/outputChoice.ts'
import { message, messageFrom, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { outputPlan, outputStepNames } from './outputPlan.ts'
import { outputStatements, type CountRow, type OutputDbRow } from './outputs.sql.ts'
import { planStatements } from '../plan/plans.sql.ts'
import { stepsOf, usualPauses } from './runOutput.ts'

/** The output connections. Functions that name one throw `Fault` notFound where there is none. */
export interface Outputs {
  list(): OutputRow[]
  show(name: string): OutputRow
  /** Adds an output connection. Throws `Fault` badInput if its name is taken or its connector is not registered, refused if there are too
   *  many. */
  add(input: OutputInput): OutputRow
  /** Changes an output connection. Throws `Fault` badInput for settings of another connector. */
  edit(name: string, change: OutputChange): OutputRow
  /** Removes an output connection and what is known of its documents. Throws `Fault` refused while a job delivers to it, or one of the
   *  templates that `naming` returns names it. */
  remove(name: string, naming: (name: string) => readonly string[]): Promise<void>
  /** Makes all documents be sent again. */
  reingest(name: string): OutputRow
  stored(name: string): OutputDbRow
  ofJob(job: number): OutputOfJob[]
}

/** Jobs and templates that are named where an output is used. */
const namedMax = 5
/** Documents that one transaction removes with an output. */
const removedMax = 500

export function openOutputs(store: Store, clock: Pick<Clock, 'now' | 'sleep'>): Outputs {
  const sql = outputStatements(store)
  const plans = planStatements(store)
  const stored = (name: string): OutputDbRow => {
    const row = sql.one.get({ name })
    if (row) return row
    throw new Fault('notFound', message('output.absent', { name }), { fields: [['name']] })
  }
  const show = (name: string) => shown(stored(name))

  function shown(row: OutputDbRow): OutputRow {
    const { id, name, description, requestsMax, destination } = row
    return {
      ...{ name, description, requestsMax, destination },
      settings: settingsOf(row),
      steps: stepsOf(row),
      problem: lackOf(row) ?? messageFrom(row.problem),
      jobs: sql.jobs.get({ id })?.count ?? 0,
      counts: countsOf(sql.counts.all({ id })),
      pending: sql.pending.get({ id })?.count ?? 0,
    }
  }

  function addPlan(output: number, { name, steps }: OutputInput): void {
    const made = outputPlan({ name, steps, retryDelayMs: usualPauses.documentMs })
    const plan = sql.addPlan.get({ output, name, plan: JSON.stringify(made), nowMs: clock.now() })?.id
    const scanner = plan === undefined ? undefined : plans.addScanner.get({ plan, name: outputStepNames.scanner })?.id
    if (scanner === undefined) throw new Error('an output has no scanner')
    plans.addDestination.get({ scanner, name: outputStepNames.destination })
  }

  return {
    list: () => sql.all.all({}).map(shown),
    show,
    add: (input) =>
      store.transaction(() => {
        const { name } = input
        if (sql.one.get({ name })) throw refusal('name', message('output.exists', { name }))
        if (sql.all.all({}).length >= outputsMax)
          throw new Fault('refused', message('output.tooMany', { most: outputsMax }))
        const added = sql.add.get(writtenOf(input))
        if (!added) throw new Error('an output has no id')
        addPlan(added.id, input)
        const row = stored(name)
        if (row.isInstalled === 0)
          throw new Fault('badInput', message('outputConnector.absent', { name: row.connector ?? '' }), {
            fields: [['settings', 'name']],
          })
        return shown(row)
      }),
    edit: (name, change) =>
      store.transaction(() => {
        const before = stored(name)
        const was = shown(before)
        refuseOtherConnector(was, change)
        const after = {
          ...was,
          ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
        }
        sql.change.run({ ...writtenOf(after), id: before.id })
        return show(name)
      }),
    async remove(given, naming) {
      const { id, name, scanner } = stored(given)
      refuseUsed(sql, { id, name }, naming)
      const limit = removedMax
      while (sql.removeRecords.run({ output: id, limit }) + sql.removeDeliveries.run({ scanner, limit }) > 0)
        await clock.sleep(0)
      store.transaction(() => {
        refuseUsed(sql, { id, name }, naming)
        sql.remove.run({ id })
      })
    },
    reingest: (name) =>
      store.transaction(() => {
        sql.reingest.run({ id: stored(name).id })
        return show(name)
      }),
    stored,
    ofJob: (job) =>
      sql.ofJob.all({ job }).map(({ id, name: output, destination }) => {
        const notice = sql.notice.get({ id, job })
        return {
          ...{ output, destination },
          counts: countsOf(sql.countsOfJob.all({ id, job })),
          notice: notice ? { ...notice, message: messageFrom(notice.message) } : null,
        }
      }),
  }
}

/** Returns why an output lacks its connector. */
function lackOf({
  name,
  connector,
  isInstalled,
}: Pick<OutputDbRow, 'name' | 'connector' | 'isInstalled'>): Message | null {
  return isInstalled === 1 ? null : message('output.lacks', { name, connector: connector ?? '' })
}

function settingsOf({ settings }: OutputDbRow) {
  return outputSettings.parse(JSON.parse(settings))
}

function writtenOf({ name, description, settings, steps, requestsMax }: OutputInput) {
  return { name, description, requestsMax, settings: JSON.stringify(settings), steps: JSON.stringify(steps) }
}

function refusal(field: string, problem: Message): Fault {
  return new Fault('badInput', problem, { fields: [[field]] })
}

function refuseOtherConnector({ name, settings: before }: OutputRow, { settings: after }: OutputChange): void {
  const isSame =
    after === undefined ||
    (after.connector === before.connector &&
      (after.connector !== 'module' || before.connector !== 'module' || after.name === before.name))
  if (!isSame) throw refusal('settings', message('output.connector', { name, connector: before.connector }))
}

function refuseUsed(
  sql: ReturnType<typeof outputStatements>,
  { id, name }: { id: number; name: string },
  naming: (name: string) => readonly string[],
): void {
  const count = sql.jobs.get({ id })?.count ?? 0
  if (count > 0) {
    const jobs = sql.users.all({ id, limit: namedMax + 1 }).map((user) => `${user.job} (${user.name})`)
    throw new Fault('refused', message('output.used', { name, count, names: firstOf(jobs) }))
  }
  const templates = naming(name)
  if (templates.length > 0)
    throw new Fault(
      'refused',
      message('output.usedByTemplates', { name, count: templates.length, names: firstOf(templates) }),
    )
}

function firstOf(names: readonly string[]): string {
  return [...names.slice(0, namedMax), ...(names.length > namedMax ? ['…'] : [])].join(', ')
}

/** Adds up the documents by what people ask for. A removal that waits counts as waiting, whatever comes after it. */
function countsOf(rows: readonly CountRow[]): OutputCounts {
  const counts: OutputCounts = { delivered: 0, waiting: 0, failed: 0, removed: 0, notTaken: 0 }
  for (const { content, state, documents } of rows) counts[groupOf(content, state)] += documents
  return counts
}

function groupOf(content: CountRow['content'], state: CountRow['state']): keyof OutputCounts {
  if (state === 'ERROR_DOC' || state === 'DEAD') return 'failed'
  if (content === 'none' && (state === '' || state === 'INDEXED')) return 'notTaken'
  if (state === 'INDEXED') return content === 'removed' ? 'removed' : 'delivered'
  // Someone has decided that it is not sent.
  if (state === 'DROPPED') return 'notTaken'
  return 'waiting'
}
