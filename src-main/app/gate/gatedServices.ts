/** Refuses calls that would show captures which the caller may not see (`contract/doors.ts`). */
import type { Sight } from '../../access/access.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { Caller } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { Call, Event } from '../../contract/calls/service.ts'
import { contract, type LoupeImplementation } from '../../contract/contract.ts'
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
  const members = Object.entries<Record<string, Call | Event>>(contract).map(([service, named]) => [
    service,
    Object.fromEntries(
      Object.entries(named).map(([name, { kind }]) => {
        const { door, member } = memberOf(services, service, name)
        if (door === 'nothing' || door === 'shown') return [name, member]
        return [
          name,
          kind === 'call' ? gatedCall(gate, door, member as Calling) : gatedEvent(gate, member as Listening),
        ]
      }),
    ),
  ])
  return Object.fromEntries(members) as LoupeImplementation
}

function memberOf(services: LoupeImplementation, service: string, name: string): { door: Door; member: unknown } {
  const door = (doors as Record<string, Record<string, Door>>)[service]?.[name]
  const member = (services as Record<string, Record<string, unknown>>)[service]?.[name]
  if (door === undefined || member === undefined) throw new Error(`${service}.${name} has no door, or is not there`)
  return { door, member }
}

function gatedCall(gate: Gate, door: Door, call: Calling): Calling {
  return async (input, caller) => {
    const sight = await gate.sightFor(caller)
    if (!sight.everything && !isAllowed(gate, { door, input }, sight))
      throw new Fault('notAllowed', message('security.refused'))
    return call(input, caller)
  }
}

/** Passes events to callers that may see everything. This is decided for each event, since roles and rules may have changed. */
function gatedEvent({ sightFor, onProblem }: Gate, listen: Listening): Listening {
  return (onPayload, caller) => {
    const passOn = (payload: unknown) =>
      sightFor(caller).then(({ everything }) => {
        if (everything) onPayload(payload)
      }, onProblem)
    return listen((payload) => void passOn(payload), caller)
  }
}

function isAllowed({ archive }: Gate, { door, input }: { door: Door; input: unknown }, sight: Sight): boolean {
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
