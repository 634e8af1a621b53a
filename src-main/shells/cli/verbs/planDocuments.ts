/** The verbs `loupe plan documents|history|retry|force|drop`. */
import { Fault } from '../../../contract/calls/faults.ts'
import type { Loupe } from '../../../contract/contract.ts'
import type { DeliveredDocument, DeliveryDecision } from '../../../contract/services/deliveries.ts'
import type { DeliveryState } from '../../../contract/states/deliveryStates.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { momentText, table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { planInput, type PlanVersionOption } from './plans.ts'

/** Documents at a destination of a plan. */
export interface DocumentFilter extends PlanVersionOption {
  scanner?: string
  destination: string
  status: DeliveryState
}

/** Documents that are listed unless the option says otherwise. */
const rowsUsual = 50
/** Documents that one call lists. */
const pageMax = 1_000

export async function listDocuments(
  command: Command,
  name: string,
  { limit = rowsUsual, ...filter }: DocumentFilter & { limit?: number },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services: { deliveries } }) => {
    const found: DeliveredDocument[] = []
    for await (const page of pagesOf(deliveries, await placeOf(deliveries, name, filter), limit)) found.push(...page)
    command.output.result(found, () => (found.length === 0 ? textFor('cli.plan.noDocuments') : documentTable(found)))
    return 0
  })
}

function documentTable(rows: readonly DeliveredDocument[]): string {
  return table(
    ['document', 'changed', 'problem'],
    rows.map(({ document, changed, message: why }) => [document, momentText(changed, ''), why ? textOf(why) : '']),
  )
}

interface Place {
  destination: number
  state: DeliveryState
}

/** Throws `Fault` notFound for a destination that the plan has not, and badInput where several scanners lead to it. */
async function placeOf(
  deliveries: Loupe['deliveries'],
  name: string,
  { scanner, destination, status: state, ...option }: DocumentFilter,
): Promise<Place> {
  const all = await deliveries.counts(planInput(name, option))
  const found = all.filter(
    (each) => each.destination === destination && (scanner === undefined || each.scanner === scanner),
  )
  const [first, second] = found
  if (!first) {
    const known = [...new Set(all.map((each) => each.destination))].join(', ')
    throw new Fault('notFound', message('cli.plan.noDestination', { name, destination, known }))
  }
  if (second) {
    const known = found.map((each) => each.scanner).join(', ')
    throw new Fault('badInput', message('cli.plan.severalDestinations', { destination, known }))
  }
  return { destination: first.id, state }
}

async function* pagesOf(deliveries: Loupe['deliveries'], place: Place, most: number) {
  for (let [after, left] = [0, most]; left > 0;) {
    const limit = Math.min(left, pageMax)
    const page = await deliveries.documents({ ...place, after, limit })
    yield page
    if (page.length < limit) return
    after = page.at(-1)?.id ?? after
    left -= page.length
  }
}

export async function showHistory(
  command: Command,
  name: string,
  document: string,
  option: PlanVersionOption,
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const events = await services.deliveries.history({ ...planInput(name, option), document })
    if (events.length === 0) throw new Fault('notFound', message('cli.plan.noHistory', { name, document }))
    command.output.result(events, () =>
      table(
        ['time', 'scanner', 'destination', 'status', 'problem'],
        events.map(({ at, scanner, destination, state, message: why }) => [
          ...[momentText(at, ''), scanner, destination, state],
          why ? textOf(why) : '',
        ]),
      ),
    )
    return 0
  })
}

export async function decide(
  command: Command,
  decision: DeliveryDecision,
  { name, documents, filter }: { name: string; documents: readonly string[]; filter: DocumentFilter },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services: { deliveries } }) => {
    const place = await placeOf(deliveries, name, filter)
    const chosen = documents.length === 0 ? place : await chosenIn(deliveries, place, documents)
    const result = await deliveries.decide({ decision, documents: chosen })
    const { run } = await deliveries.show(planInput(name, filter))
    if (run === 'stopped' && decision !== 'drop') command.output.note(textFor('cli.plan.notRunning', { name }))
    command.output.result(result, () => textFor('cli.plan.decided', { count: result.decided }))
    return 0
  })
}

/** Returns the numbers of the documents. Throws `Fault` notFound for one that is not in the status. */
async function chosenIn(
  deliveries: Loupe['deliveries'],
  place: Place,
  documents: readonly string[],
): Promise<number[]> {
  const found: number[] = []
  for (const document of new Set(documents)) {
    const [row] = await deliveries.documents({ ...place, document })
    if (!row) throw new Fault('notFound', message('cli.plan.notInStatus', { document }))
    found.push(row.id)
  }
  return found
}
