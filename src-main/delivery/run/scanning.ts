/** Scans: what a scanner finds begins, unless it is known and unchanged. */
import type { Message } from '../../contract/words/message.ts'
import type { ScannedDocument } from '../model/document.ts'
import type { Scanner } from '../model/steps.ts'
import type { Place } from '../plan/places.ts'
import type { PlanScanner } from '../plan/plans.ts'
import { originalsIn } from '../status/originals.ts'
import { statusStatements } from '../status/status.sql.ts'
import type { Remembering } from '../status/statusWriter.ts'
import type { EngineSetting } from './engineSetting.ts'
import { failureOf } from './failure.ts'
import type { Copy } from './flow.ts'
import type { Gate, onTheWay } from './onTheWay.ts'

interface ScanningSetting extends Pick<EngineSetting, 'store' | 'clock' | 'writer' | 'write' | 'onBug'> {
  planned: PlanScanner
  scanner: Scanner
  remembering: Remembering
  /** Ids of the destinations of the scanner. */
  ids: readonly number[]
  live: ReturnType<typeof onTheWay>
  gate: Gate
  /** Rows of documents that are about to begin. */
  claimed: Set<number>
  onward: (copy: Copy, place: Place) => Promise<void>
  onFailed(why: Message): void
  signal: AbortSignal
}

/** Returns the functions that scan once. Both resolve when everything has begun that they found. */
export function scanning(setting: ScanningSetting) {
  const { store, clock, writer, write, planned, scanner, remembering, ids, live, gate, claimed, onward } = setting
  const { onBug, signal } = setting
  const sql = statusStatements(store)

  /** Begins a scanned document, if it is new here or has changed. */
  async function begin(document: ScannedDocument, how: Remembering): Promise<void> {
    const { row, at } = writer.wanted(planned.id, document, ids, how)
    if (at.length === 0 || (row && isBusy(row.id))) return
    if (row) claimed.add(row.id)
    const entered = await gate.enter()
    entered.hold(document)
    const act = async () => {
      const admitted = await write(() => {
        const made = writer.admit(planned.id, document, ids, how)
        if (!made) return undefined
        live.add(made.row, made.open.keys())
        document.onAdmitted?.(made.row)
        return made
      })
      if (row) claimed.delete(row.id)
      if (admitted) await onward({ ...admitted, document, original: admitted.row }, planned.start)
      entered.leave()
    }
    act().catch(onBug)
  }

  const isBusy = (row: number) => claimed.has(row) || ids.some((id) => live.has(row, id))

  /** Returns what the scanner yields; undefined where it fails, which is reported and ends nothing but this scan. */
  async function ofSource<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await ask()
    } catch (error) {
      if (!signal.aborted) setting.onFailed(failureOf(error).why)
      return undefined
    }
  }

  async function scan(): Promise<void> {
    const documents = await ofSource(async () => scanner.scan(signal)[Symbol.asyncIterator]())
    for (;;) {
      const next = documents && (await ofSource(() => documents.next()))
      if (!next || next.done || signal.aborted) return
      await begin(next.value, remembering)
    }
  }

  /** Begins documents again that are marked as possibly changed, where the scan itself does not compare them. */
  async function compareMarked(): Promise<void> {
    if (remembering.detectsChanges || !remembering.remembers) return
    for (const destination of ids) {
      for (const original of originalsIn(sql, clock, { destination, state: 'DIRTY', delayMs: 0 })) {
        const id = sql.keyOf.get({ id: original })?.key
        const document = id === undefined ? undefined : await ofSource(() => scanner.find(id, signal))
        if (document) await begin(document, { remembers: true, detectsChanges: true })
      }
    }
  }

  return { scan, compareMarked }
}
