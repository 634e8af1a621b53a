import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formerNames, jobStates, phaseOf, statesIn, type JobEvent, type JobState } from './jobStates.ts'

/** The names of ManifoldCF's job states as its documentation lists them, with a misprint (ACTIVEMWAIT) corrected. */
const documentedNames =
  `INACTIVE ACTIVE PAUSED PAUSING ACTIVEWAITING PAUSINGWAITING RESUMING SHUTTINGDOWN ACTIVEWAIT PAUSEDWAIT ABORTING
  STARTINGUP STARTINGUPMINIMAL DELETESTARTINGUP ABORTINGSTARTINGUP READYFORSTARTUP READYFORSTARTUPMINIMAL READYFORDELETE
  ACTIVESEEDING PAUSINGSEEDING ACTIVEWAITINGSEEDING PAUSINGWAITINGSEEDING RESUMINGSEEDING ABORTINGSEEDING PAUSEDSEEDING
  ACTIVEWAITSEEDING PAUSEDWAITSEEDING ABORTINGFORRESTART ABORTINGFORRESTARTMINIMAL ABORTINGFORRESTARTSEEDING
  ABORTINGFORRESTARTSEEDINGMINIMAL ABORTINGSTARTINGUPFORRESTART ABORTINGSTARTINGUPFORRESTARTMINIMAL READYFORNOTIFY
  NOTIFYINGOFCOMPLETION ACTIVE_UNINSTALLED ACTIVESEEDING_UNINSTALLED ACTIVE_NOOUTPUT ACTIVESEEDING_NOOUTPUT ACTIVE_NEITHER
  ACTIVESEEDING_NEITHER READYFORDELETE_NOOUTPUT`
    .trim()
    .split(/\s+/)

/** States that its later releases added. */
const laterNames = [
  'ABORTINGSHUTTINGDOWN',
  'DELETING',
  'DELETING_NOOUTPUT',
  'READYFORDELETENOTIFY',
  'NOTIFYINGOFDELETION',
]

const { next, states, moves } = jobStates
const eventsOf = (owner: string): JobEvent[] => [
  ...new Set(moves.filter((move) => move.owner === owner).map(({ event }) => event)),
]
const isSeeding = (state: string) => state.includes('SEEDING')
const strip = (state: JobState): JobState => next(state, 'seedingEnded') ?? state
/** Events that occur without a request of the user; each applies as often as needed. */
const onItsOwn: readonly JobEvent[] = [
  'interrupted',
  'startupEnded',
  'seedingEnded',
  'drained',
  'notificationTaken',
  'notified',
]

describe('the states', () => {
  test('are those of ManifoldCF and its later releases', () => {
    const known = [...documentedNames, ...laterNames].filter((name) => !Object.hasOwn(formerNames, name))
    expect([...states].sort()).toEqual(known.sort())
  })
  test('former names are explained', () => {
    const gone = documentedNames.filter((name) => !(states as readonly string[]).includes(name))
    expect(gone.sort()).toEqual(Object.keys(formerNames).sort())
  })
  test('documents are claimed in two states only', () => {
    expect(statesIn('working')).toEqual(['ACTIVE', 'ACTIVESEEDING'])
  })
  test('an event has one owner in each state and one target', () => {
    const pairs = moves.map(({ from, event }) => `${from} ${event}`)
    expect(new Set(pairs).size).toBe(pairs.length)
  })
})

describe('interruption by a kill', () => {
  const recovered = (state: JobState): JobState => {
    const after = next(state, 'interrupted')
    return after === undefined ? state : recovered(after)
  }
  test.each(states)('in %s leads to one permanent state, twice as once', (state) => {
    const permanent = recovered(state)
    expect(next(permanent, 'interrupted')).toBeUndefined()
    expect(recovered(permanent)).toBe(permanent)
    if (phaseOf(state) === 'resting') expect(permanent).toBe(state)
  })
})

describe('seeding', () => {
  const twins = states.filter(isSeeding)
  test.each(twins)('%s loses nothing but the seeding when it ends, by itself or by a kill', (state) => {
    expect(strip(state)).toBe(state.replace('SEEDING', ''))
    expect(next(state, 'interrupted')).toBe(strip(state))
  })
  const told = [
    'pause',
    'windowEnded',
    'windowBegan',
    'abort',
    'resume',
    'drained',
    'resumed',
    'connectorGone',
  ] as const
  test.each(twins)('%s: a request before its end has the same result as after it', (state) => {
    for (const event of told) {
      const during = next(state, event)
      const after = next(strip(state), event)
      // A restart must lose its seeding before it is drained; nothing else depends on the order.
      if (during === undefined) expect([undefined, 'READYFORSTARTUP', 'READYFORSTARTUPMINIMAL']).toContain(after)
      else expect(strip(during)).toBe(after)
    }
  })
})

describe('actions of users', () => {
  const from = (event: JobEvent) => states.filter((state) => next(state, event) !== undefined)
  test('start and delete are accepted only at rest', () => {
    expect(from('start')).toEqual(['INACTIVE'])
    expect(from('startMinimal')).toEqual(['INACTIVE'])
    expect(from('delete')).toEqual(['INACTIVE'])
  })
  test('resume is accepted only when paused', () => {
    expect(from('resume').every((state) => state.startsWith('PAUSED'))).toBe(true)
    expect(from('resume')).toHaveLength(4)
  })
  test.each(['READYFORNOTIFY', ...statesIn('deleting')] as JobState[])('nothing in %s', (state) => {
    for (const event of eventsOf('user')) expect(next(state, event)).toBeUndefined()
  })
  // semantics 10.1.5
  test('while files are being stored, abort ends the job at once and nothing else is accepted', () => {
    const asked = eventsOf('user').filter((event) => next('NOTIFYINGOFCOMPLETION', event) !== undefined)
    expect(asked).toEqual(['abort'])
    expect(next('NOTIFYINGOFCOMPLETION', 'abort')).toBe('INACTIVE')
  })
  test('pause and resume return to the former state, inside and outside the window', () => {
    const through = (state: JobState, ...events: JobEvent[]) =>
      events.reduce<JobState | undefined>((at, event) => at && next(at, event), state)
    expect(through('ACTIVE', 'pause', 'drained', 'resume', 'resumed')).toBe('ACTIVE')
    expect(through('ACTIVESEEDING', 'pause', 'drained', 'resume', 'resumed')).toBe('ACTIVESEEDING')
    expect(through('ACTIVEWAITING', 'pause', 'drained', 'resume')).toBe('ACTIVEWAIT')
    expect(through('ACTIVEWAIT', 'pause', 'resume')).toBe('ACTIVEWAIT')
    expect(through('PAUSED', 'windowEnded')).toBe('PAUSEDWAIT')
    expect(through('PAUSEDWAIT', 'windowBegan')).toBe('PAUSED')
    expect(through('PAUSING', 'windowEnded', 'windowBegan')).toBe('PAUSING')
  })
  test.each(['', 'MINIMAL'] as const)('a restart leads to a start of the requested kind: "%s"', (kind) => {
    const event = kind === '' ? 'restart' : 'restartMinimal'
    for (const state of from(event)) {
      const asked = next(state, event) as JobState
      const calm = strip(next(asked, 'startupEnded') ?? asked)
      expect(next(calm, 'drained'), state).toBe(`READYFORSTARTUP${kind}`)
    }
  })
})

test('from every state of a run one accepted abort leads to INACTIVE', () => {
  const path = fc.array(fc.constantFrom(...moves.map(({ event }) => event)), { maxLength: 60 })
  fc.assert(
    fc.property(path, (events) => {
      let state = events.reduce<JobState>((at, event) => next(at, event) ?? at, 'INACTIVE')
      const aborted = next(state, 'abort')
      if (aborted === undefined) return
      state = aborted
      for (let steps = 0; state !== 'INACTIVE' && steps < 10; steps += 1) {
        const event = onItsOwn.find((each) => each !== 'interrupted' && next(state, each) !== undefined)
        if (event) state = next(state, event) as JobState
      }
      expect(state).toBe('INACTIVE')
    }),
    { numRuns: Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500) },
  )
})
