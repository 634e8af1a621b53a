/** Refuses calls that would show captures which the caller may not see (`contract/doors.ts`). */
import type { Sight } from '../../access/access.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { Caller } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { LoupeImplementation } from '../../contract/contract.ts'
import { doors, type Door } from '../../contract/doors.ts'
import { message } from '../../contract/words/message.ts'
import type { SightFor } from './sights.ts'

interface Gate {
  sightFor: SightFor
  archive: Pick<Archive, 'file'>
  /** Takes an error because of which an event was not passed on. */
  onProblem(error: unknown): void
}

type Calling = (input: unknown, caller: Caller) => Promise<unknown>
type Listening = (onPayload: (payload: unknown) => void, caller: Caller) => () => void

/** Puts the gate before services. */
export function gatedServices(gate: Gate, services: LoupeImplementation): LoupeImplementation {
  const gated = Object.entries(services).map(([service, members]) => [
    service,
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => {
        const door = doorOf(service, name)
        const isOpen = door === 'nothing' || door === 'shown'
        return [name, isOpen ? member : behind(gate, door, member)]
      }),
    ),
  ])
  return Object.fromEntries(gated) as LoupeImplementation
}

function doorOf(service: string, name: string): Door {
  const door = (doors as Record<string, Record<string, Door>>)[service]?.[name]
  if (door === undefined) throw new Error(`no door is named for ${service}.${name}`)
  return door
}

/** A call, or an event: which of them is told by what it is given. */
function behind(gate: Gate, door: Door, member: unknown): Calling | Listening {
  return (given: unknown, caller: Caller) => {
    if (typeof given === 'function') {
      const onPayload = given as (payload: unknown) => void
      return (member as Listening)((payload) => passOn(gate, caller, () => onPayload(payload)), caller) as never
    }
    return called(gate, { door, caller, input: given }, () => (member as Calling)(given, caller)) as never
  }
}

interface Asked {
  door: Door
  caller: Caller
  input: unknown
}

async function called(gate: Gate, asked: Asked, answer: () => Promise<unknown>): Promise<unknown> {
  const sight = await gate.sightFor(asked.caller)
  if (!sight.everything && !isAllowed(gate, asked, sight)) throw new Fault('notAllowed', message('security.refused'))
  return answer()
}

function isAllowed({ archive }: Gate, { door, input }: Asked, sight: Sight): boolean {
  const { job, jobs, file, files, all } = input as Record<string, unknown>
  if (door === 'file') {
    const known = typeof file === 'string' ? archive.file(file) : undefined
    // What the archive does not have, it does not show.
    return !known || sight.wholeJob(known.job)
  }
  if (door !== 'jobs' || all === true || (Array.isArray(files) && files.length > 0)) return false
  const named = [...(typeof job === 'number' ? [job] : []), ...(Array.isArray(jobs) ? (jobs as number[]) : [])]
  return named.length > 0 && named.every(sight.wholeJob)
}

/** Passes an event on to whoever sees everything. */
function passOn({ sightFor, onProblem }: Gate, caller: Caller, pass: () => void): void {
  sightFor(caller).then(({ everything }) => {
    if (everything) pass()
  }, onProblem)
}
