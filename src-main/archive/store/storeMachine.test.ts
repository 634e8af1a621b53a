import { message } from '../../contract/words/message.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { uploadStates } from '../../contract/states/states.ts'
import type { UploadState } from '../copies/archive.sql.ts'
import {
  newlyKnown,
  step,
  type ChecksumReply,
  type Effect,
  type FileUpload,
  type StoreMessage,
} from './storeMachine.ts'
import type { UploadReply } from './storeMachine.ts'

const right = 'the registered checksum'
const rules = { uploadRetries: 1 }
const problem = { code: 'unreachable', message: message('replica.left', { replica: 'one' }) } as const

const written: UploadReply = { kind: 'written' }
const occupied: UploadReply = { kind: 'occupied', message: message('replica.occupied', { path: '/one/a' }) }
const refused: UploadReply = { kind: 'refused', problem }
const agrees: ChecksumReply = { kind: 'found', sha256: right }
const differs: ChecksumReply = { kind: 'found', sha256: 'another' }
const empty: ChecksumReply = { kind: 'empty' }
const failed: ChecksumReply = { kind: 'failed', problem }

function shown(effect: Effect): string {
  if (effect.kind === 'stored') return 'stored'
  if (effect.kind === 'answer') return `answer ${effect.store}: ${effect.answer.kind}`
  if (effect.kind === 'move') return `${effect.event} ${effect.replica}`
  return `${effect.kind} ${effect.replica}`
}

/** A file between its state machine and its replicas: pending requests and all past effects. */
function scenario(states: Record<string, UploadState | undefined>) {
  let file = newlyKnown(right, Object.keys(states), (replica) => states[replica])
  const effects: Effect[] = []
  const onMessage = (message: StoreMessage): Effect[] => {
    const turn = step(file, message, rules)
    file = turn.file
    effects.push(...turn.effects)
    return turn.effects
  }
  const awaited = (replica: string) => file.copies.get(replica)?.awaits
  return {
    effects,
    onMessage,
    awaited,
    file: () => file,
    stateOf: (replica: string) => file.copies.get(replica)?.state,
    store: (store: number, sha256 = right) => onMessage({ kind: 'store', store, sha256 }).map(shown),
    resume: (hasSource: boolean) => onMessage({ kind: 'resume', hasSource }).map(shown),
    uploaded: (replica: string, came: UploadReply) =>
      onMessage({ kind: 'uploadReply', replica, message: awaited(replica)?.message ?? -1, came }).map(shown),
    checksum: (replica: string, came: ChecksumReply) =>
      onMessage({ kind: 'checksumReply', replica, message: awaited(replica)?.message ?? -1, came }).map(shown),
  }
}

describe('a store finds a copy', () => {
  test.each<[UploadState | undefined, string[]]>([
    [undefined, ['begin one', 'upload one']],
    ['UPLOAD_STARTED', ['askChecksum one']],
    ['DATA_UPLOADED', ['askChecksum one']],
    ['UNKNOWN_UPLOAD_STATE', ['askChecksum one']],
    ['UPLOAD_FAILED', ['retried one', 'askChecksum one']],
    ['UPLOAD_COMPLETED', ['stored', 'answer 1: stored']],
  ])('%s: %j', (state, effects) => expect(scenario({ one: state }).store(1)).toEqual(effects))
})

describe('an upload reply', () => {
  test.each<[string, UploadReply, string[], UploadState]>([
    ['that it is written', written, ['copied one', 'askChecksum one'], 'DATA_UPLOADED'],
    ['that the name is taken', occupied, ['occupied one', 'askChecksum one'], 'UNKNOWN_UPLOAD_STATE'],
    ['of a refusal', refused, ['refused one', 'answer 1: notStored'], 'UPLOAD_FAILED'],
  ])('%s', (_, came, effects, state) => {
    const trial = scenario({ one: undefined })
    trial.store(1)
    expect(trial.uploaded('one', came)).toEqual(effects)
    expect(trial.stateOf('one')).toBe(state)
  })
})

describe('a checksum reply', () => {
  const under = ['UPLOAD_STARTED', 'DATA_UPLOADED', 'UNKNOWN_UPLOAD_STATE'] as const
  const rows = under.flatMap((from): [UploadState, string, ChecksumReply, string[], UploadState][] => [
    [from, 'right', agrees, ['checksumAgrees one', 'stored', 'answer 1: stored'], 'UPLOAD_COMPLETED'],
    [from, 'wrong', differs, ['checksumFails one', 'answer 1: notStored'], 'UPLOAD_FAILED'],
    [from, 'not available', failed, ['checksumFails one', 'answer 1: notStored'], 'UPLOAD_FAILED'],
    [from, 'empty', empty, ['checksumEmpty one', 'upload one'], 'UPLOAD_STARTED'],
  ])
  test.each(rows)('in %s that is %s', (from, _, came, effects, state) => {
    const trial = scenario({ one: from })
    trial.store(1)
    expect(trial.checksum('one', came)).toEqual(effects)
    expect(trial.stateOf('one')).toBe(state)
  })
  test('that is empty too often fails the copy', () => {
    const trial = scenario({ one: undefined })
    trial.store(1)
    trial.uploaded('one', written)
    expect(trial.checksum('one', empty)).toEqual(['checksumEmpty one', 'upload one'])
    trial.uploaded('one', written)
    expect(trial.checksum('one', empty)).toEqual(['checksumFails one', 'answer 1: notStored'])
    // The next store may try as often again.
    expect(trial.store(2)).toEqual(['retried one', 'askChecksum one'])
    expect(trial.checksum('one', empty)).toEqual(['checksumEmpty one', 'upload one'])
  })
  test('that is empty fails a copy whose bytes are unknown', () => {
    const trial = scenario({ one: 'UPLOAD_STARTED', two: 'UPLOAD_FAILED', three: undefined })
    expect(trial.resume(false)).toEqual(['askChecksum one'])
    expect(trial.checksum('one', empty)).toEqual(['checksumFails one'])
  })
  test('that is empty leads to a rewrite when another replica has a good copy', () => {
    const trial = scenario({ one: 'UPLOAD_STARTED', two: 'UPLOAD_COMPLETED' })
    expect(trial.resume(true)).toEqual(['askChecksum one'])
    expect(trial.checksum('one', empty)).toEqual(['checksumEmpty one', 'upload one'])
    trial.uploaded('one', written)
    expect(trial.checksum('one', agrees)).toEqual(['checksumAgrees one', 'stored'])
  })
})

describe('hazards described by NetarchiveSuite', () => {
  test('(a) a store of another file does not affect the one in progress', () => {
    const trial = scenario({ one: undefined, two: undefined })
    trial.store(1)
    const before = trial.file()
    expect(trial.store(2, 'another')).toEqual(['answer 2: otherFile'])
    expect(trial.file()).toBe(before)
    trial.uploaded('one', written)
    trial.uploaded('two', written)
    trial.checksum('one', agrees)
    expect(trial.checksum('two', agrees)).toEqual(['checksumAgrees two', 'stored', 'answer 1: stored'])
  })
  test('(b) a second store of the file in progress starts nothing, and both are answered', () => {
    const trial = scenario({ one: undefined })
    trial.store(1)
    expect(trial.store(2)).toEqual([])
    trial.uploaded('one', written)
    expect(trial.checksum('one', agrees)).toEqual([
      'checksumAgrees one',
      'stored',
      'answer 1: stored',
      'answer 2: stored',
    ])
    expect(trial.store(3)).toEqual(['stored', 'answer 3: stored'])
  })
  test('(c) a completed copy never goes back, whatever replies come in', () => {
    const trial = scenario({ one: undefined })
    trial.store(1)
    const upload = trial.awaited('one')?.message ?? 0
    trial.uploaded('one', written)
    const asked = trial.awaited('one')?.message ?? 0
    trial.checksum('one', agrees)
    const replies: StoreMessage[] = [upload, asked, 0, 99].flatMap((message): StoreMessage[] => [
      ...[written, occupied, refused].map((came) => ({ kind: 'uploadReply', replica: 'one', message, came }) as const),
      ...[agrees, differs, empty, failed].map(
        (came) => ({ kind: 'checksumReply', replica: 'one', message, came }) as const,
      ),
    ])
    for (const reply of replies) expect(trial.onMessage(reply)).toEqual([])
    expect(trial.stateOf('one')).toBe('UPLOAD_COMPLETED')
    expect(uploadStates.moves.filter(({ from }) => from === 'UPLOAD_COMPLETED')).toEqual([])
  })
  test('(d) a failed copy is not reported before the others have ended, in any state', () => {
    const trial = scenario({ one: undefined, two: undefined })
    trial.store(1)
    expect(trial.uploaded('one', refused)).toEqual(['refused one'])
    expect(trial.uploaded('two', written)).toEqual(['copied two', 'askChecksum two'])
    expect(trial.checksum('two', empty)).toEqual(['checksumEmpty two', 'upload two'])
    expect(trial.uploaded('two', occupied)).toEqual(['occupied two', 'askChecksum two'])
    expect(trial.checksum('two', agrees)).toEqual(['checksumAgrees two', 'answer 1: notStored'])
  })
})

test('a caller that withdraws is not answered; the others are', () => {
  const trial = scenario({ one: undefined })
  trial.store(1)
  trial.store(2)
  expect(trial.onMessage({ kind: 'withdraw', store: 1 })).toEqual([])
  trial.uploaded('one', written)
  expect(trial.checksum('one', agrees)).toContain('answer 2: stored')
  expect(trial.effects.filter(({ kind }) => kind === 'answer')).toHaveLength(1)
})

describe('for any inputs in any order', () => {
  const replicas = ['one', 'two']
  const state = fc.constantFrom(undefined, ...uploadStates.states)
  const uploadReply = fc.constantFrom(written, occupied, refused)
  const checksumReply = fc.constantFrom(agrees, differs, empty, failed)
  /** Next step of a test: a store, a kill, or a reply of a replica to a pending request or to a stray one. */
  const action = fc.oneof(
    { weight: 2, arbitrary: fc.record({ do: fc.constant('store'), isOther: fc.boolean() } as const) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('kill'), hasSource: fc.boolean() } as const) },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('reply'),
        replica: fc.constantFrom(...replicas),
        upload: uploadReply,
        checksum: checksumReply,
        isStray: fc.boolean(),
      } as const),
    },
  )

  test('the invariants hold', () => {
    const property = fc.property(state, state, fc.array(action, { maxLength: 40 }), (one, two, actions) => {
      let trial = scenario({ one, two })
      let stores = 0
      const owed = new Set<number>()
      const uploads = new Map<string, number>()
      const lastAgreed = new Set<string>()
      for (const replica of replicas) if (trial.stateOf(replica) === 'UPLOAD_COMPLETED') lastAgreed.add(replica)

      for (const each of actions) {
        const before = trial.file()
        let effects: Effect[]
        let received: ChecksumReply | undefined
        let about: string | undefined
        if (each.do === 'store') {
          stores += 1
          owed.add(stores)
          effects = trial.onMessage({ kind: 'store', store: stores, sha256: each.isOther ? 'other' : right })
          // 2: another checksum changes no state. 5: a stored file is confirmed at once, without a request.
          if (each.isOther) expect(trial.file()).toBe(before)
          else if (replicas.every((replica) => stateIn(before, replica) === 'UPLOAD_COMPLETED'))
            expect(effects.map(({ kind }) => kind)).toEqual(['stored', 'answer'])
        } else if (each.do === 'kill') {
          const left = { one: trial.stateOf('one'), two: trial.stateOf('two') }
          trial = scenario(left)
          owed.clear()
          uploads.clear()
          effects = trial.onMessage({ kind: 'resume', hasSource: each.hasSource })
          // 6: after a kill, checksums are requested before any write.
          expect(effects.filter(({ kind }) => kind === 'upload')).toEqual([])
        } else {
          const awaits = trial.awaited(each.replica)
          const message = each.isStray ? (awaits?.message ?? 0) + 7 : (awaits?.message ?? 7)
          const reply: StoreMessage =
            awaits?.kind === 'checksum'
              ? { kind: 'checksumReply', replica: each.replica, message, came: each.checksum }
              : { kind: 'uploadReply', replica: each.replica, message, came: each.upload }
          effects = trial.onMessage(reply)
          // 7: unknown replies change nothing.
          if (each.isStray || !awaits) expect([effects, trial.file()]).toEqual([[], before])
          else about = each.replica
          if (about !== undefined && awaits?.kind === 'checksum') received = each.checksum
        }
        for (const effect of effects) {
          if (effect.kind === 'upload') {
            uploads.set(effect.replica, (uploads.get(effect.replica) ?? 0) + 1)
            // 4: never to a completed copy, and no more often than allowed. 9: never over something else.
            expect(stateIn(before, effect.replica)).not.toBe('UPLOAD_COMPLETED')
            expect(uploads.get(effect.replica)).toBeLessThanOrEqual(1 + rules.uploadRetries)
            if (received && effect.replica === about) expect(received).toEqual(empty)
          }
          if (effect.kind !== 'answer') continue
          // 3: exactly one answer a store, and a true one.
          expect(owed.delete(effect.store)).toBe(true)
          const states = replicas.map((replica) => trial.stateOf(replica))
          if (effect.answer.kind === 'stored') expect(new Set(states)).toEqual(new Set(['UPLOAD_COMPLETED']))
          if (effect.answer.kind !== 'notStored') continue
          expect(states).toContain('UPLOAD_FAILED')
          for (const busy of ['UPLOAD_STARTED', 'DATA_UPLOADED', 'UNKNOWN_UPLOAD_STATE'])
            expect(states).not.toContain(busy)
        }
        if (
          effects.some(({ kind, ...rest }) => kind === 'answer' && 'answer' in rest && rest.answer.kind !== 'otherFile')
        )
          uploads.clear()
        for (const replica of replicas) {
          const was = stateIn(before, replica)
          const is = trial.stateOf(replica)
          // 1: completed by a checksum that agrees, and by nothing else; and for good.
          if (is === 'UPLOAD_COMPLETED' && was !== is) expect([about, received]).toEqual([replica, agrees])
          if (was === 'UPLOAD_COMPLETED') expect(is).toBe(was)
        }
      }
      // Every store that waits gets its answer once all replicas have replied.
      for (let turns = 0; turns < 20; turns += 1) {
        for (const replica of replicas) {
          const awaits = trial.awaited(replica)
          const effects = !awaits
            ? []
            : awaits.kind === 'upload'
              ? trial.onMessage({ kind: 'uploadReply', replica, message: awaits.message, came: written })
              : trial.onMessage({ kind: 'checksumReply', replica, message: awaits.message, came: agrees })
          for (const effect of effects) if (effect.kind === 'answer') expect(owed.delete(effect.store)).toBe(true)
        }
      }
      expect([...owed]).toEqual([])
    })
    fc.assert(property, { numRuns: 2_000 })
  })

  test('8: replies of different replicas commute', () => {
    const answers = fc.record({ uploads: fc.array(uploadReply), checksums: fc.array(checksumReply) })
    const property = fc.property(
      fc.record({ one: state, two: state }),
      fc.record({ one: answers, two: answers }),
      fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
      (states, said, order) => {
        const ends = [order, order.map((first) => !first), order.map(() => true), order.map(() => false)].map(
          (turns) => {
            const trial = scenario(states)
            const queues = {
              one: { uploads: [...said.one.uploads], checksums: [...said.one.checksums] },
              two: { uploads: [...said.two.uploads], checksums: [...said.two.checksums] },
            }
            trial.store(1)
            const reply = (replica: 'one' | 'two') => {
              const awaits = trial.awaited(replica)
              if (awaits?.kind === 'upload') trial.uploaded(replica, queues[replica].uploads.shift() ?? refused)
              else if (awaits) trial.checksum(replica, queues[replica].checksums.shift() ?? failed)
            }
            for (const isFirst of turns) reply(isFirst ? 'one' : 'two')
            for (let left = 0; left < 12; left += 1) for (const replica of ['one', 'two'] as const) reply(replica)
            const answer = trial.effects.filter(({ kind }) => kind === 'answer')
            return { one: trial.stateOf('one'), two: trial.stateOf('two'), answer }
          },
        )
        expect(ends[0]?.answer).toHaveLength(1)
        for (const end of ends) expect(end).toEqual(ends[0])
      },
    )
    fc.assert(property, { numRuns: 2_000 })
  })
})

function stateIn(file: FileUpload, replica: string): UploadState | undefined {
  return file.copies.get(replica)?.state
}
