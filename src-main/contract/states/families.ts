/**
 * Expansion of states that differ in one dimension: a base row lists its dimensions, and its twins are made here. A job that is being
 * paused while seeds are queued is PAUSING in the dimension "seeding": PAUSINGSEEDING. A twin has the moves of its base; a move to a base
 * that also has the dimension stays in it, any other leaves it.
 */
import { joined } from '../words/joined.ts'
import { statusLabel, statusTone, type JobStatus } from './jobStatuses.ts'
import type { StateRow, StateTexts } from './stateTable.ts'

interface Dimension {
  /** Suffix of the state's name; the order of the dimensions is the order in the name. */
  suffix: string
  /** The status of its twins, where it differs from the base's. */
  status?: JobStatus
  /** Nothing is handed out in its twins, whatever the base does. */
  waits?: true
  /** The moves from the base into the twin, and back. */
  enter?: { event: string; owner: string }
  leave?: { event: string; owner: string }[]
}

/** The dimensions in the order of their suffixes. */
export const dimensions = {
  seeding: {
    suffix: 'SEEDING',
    leave: [
      { event: 'seedingEnded', owner: 'seeding' },
      { event: 'interrupted', owner: 'recovery' },
    ],
  },
  /** An incremental run. */
  minimal: { suffix: 'MINIMAL' },
  uninstalled: {
    suffix: '_UNINSTALLED',
    status: 'No connector',
    waits: true,
    enter: { event: 'connectorGone', owner: 'assessment' },
    leave: [{ event: 'connectorBack', owner: 'assessment' }],
  },
  noOutput: {
    suffix: '_NOOUTPUT',
    status: 'No connector',
    waits: true,
    enter: { event: 'connectorGone', owner: 'assessment' },
    leave: [{ event: 'connectorBack', owner: 'assessment' }],
  },
} as const satisfies Record<string, Dimension>
export type DimensionName = keyof typeof dimensions

/** The row of a state from which twins are made. */
export interface BaseRow {
  status: JobStatus
  /** The dimensions in which the state has twins. */
  has?: readonly DimensionName[]
  /**
   * `never`: twins in this dimension do not have the move. `drops`: the move leaves this dimension even if the target has it, as does a
   * restart that requests a whole run. `to` may name a twin: the move then enters its dimensions.
   */
  on: Record<string, { to: string; owner: string; never?: readonly DimensionName[]; drops?: readonly DimensionName[] }>
}

type Part<Has, Name extends DimensionName> = Has extends readonly DimensionName[]
  ? Name extends Has[number]
    ? '' | (typeof dimensions)[Name]['suffix']
    : ''
  : ''
type NamesOf<
  Base extends string,
  Has,
> = `${Base}${Part<Has, 'seeding'>}${Part<Has, 'minimal'>}${Part<Has, 'uninstalled'>}${Part<Has, 'noOutput'>}`

/** All states into which the bases expand. */
export type Expanded<Bases extends Record<string, BaseRow>> = {
  [Base in keyof Bases & string]: NamesOf<Base, Bases[Base]['has']>
}[keyof Bases & string]
type EventsIn<Bases extends Record<string, BaseRow>> =
  | { [Base in keyof Bases]: keyof Bases[Base]['on'] & string }[keyof Bases]
  | 'seedingEnded'
  | 'interrupted'
  | 'connectorGone'
  | 'connectorBack'
type RowsOf<Bases extends Record<string, BaseRow>> = Record<
  Expanded<Bases>,
  StateRow & { on: Partial<Record<EventsIn<Bases>, { to: string; owner: string }>> & StateRow['on'] }
>

/** A state as its base and the dimensions that it is in. */
export interface Twin<Base extends string = string> {
  base: Base
  within: readonly DimensionName[]
}

const order = Object.keys(dimensions) as DimensionName[]

function nameOf({ base, within }: Twin): string {
  return base + order.flatMap((name) => (within.includes(name) ? [dimensions[name].suffix] : [])).join('')
}

/** Lists the base itself, then its twins; those in two dimensions last. */
function twinsOf(base: string, has: readonly DimensionName[]): Twin[] {
  let all: DimensionName[][] = [[]]
  for (const name of has) all = [...all, ...all.map((within) => [...within, name])]
  return all.map((within) => ({ base, within }))
}

/** Returns the status of a twin: that of the last of its dimensions that has one, otherwise that of its base. */
export function statusOfTwin(base: BaseRow, within: readonly DimensionName[]): JobStatus {
  const statuses = within.map((name) => (dimensions[name] as Dimension).status)
  return statuses.findLast((each) => each !== undefined) ?? base.status
}

/** Returns the texts of a twin: the meaning of its base followed by those of its dimensions, and the label of its status. */
export function textsOfTwin(table: string, { base, within }: Twin, status: JobStatus): StateTexts {
  const codes = [`${table}.${base}`, ...within.map((name) => `${table}.with.${name}`)]
  return { meaning: joined(codes.map((code) => ({ code }))), badge: statusLabel(status) }
}

/** Whether the state is in a dimension in which nothing is handed out. */
export function waitsInDimension({ within }: Twin): boolean {
  return within.some((name) => (dimensions[name] as Dimension).waits)
}

/** Makes the rows of all states, each base followed by its twins, and a map from each state to its base and dimensions. */
export function expanded<const Bases extends Record<string, BaseRow>>(
  bases: Bases,
): { rows: RowsOf<Bases>; twins: Record<Expanded<Bases>, Twin<keyof Bases & string>> } {
  const twins = Object.entries(bases).flatMap(([base, { has = [] }]) => twinsOf(base, has))
  const known = new Map(twins.map((twin) => [nameOf(twin), twin]))
  const rows = twins.map((twin): [string, StateRow] => [nameOf(twin), rowOf(twin)])
  return {
    rows: Object.fromEntries(rows) as RowsOf<Bases>,
    twins: Object.fromEntries(known) as Record<Expanded<Bases>, Twin<keyof Bases & string>>,
  }

  function rowOf({ base, within }: Twin): StateRow {
    const row = baseRow(base)
    return {
      tone: statusTone(statusOfTwin(row, within)),
      on: { ...ownMoves(row.on, within), ...crossings({ base, within }) },
    }
  }

  function ownMoves(on: BaseRow['on'], within: readonly DimensionName[]): StateRow['on'] {
    const moves = Object.entries(on).filter(([, { never = [] }]) => !within.some((name) => never.includes(name)))
    return Object.fromEntries(
      moves.map(([event, { to, owner, drops = [] }]) => {
        const kept = within.filter((name) => !drops.includes(name))
        return [event, { to: target(to, kept), owner }]
      }),
    )
  }

  /** Names the target with the kept dimensions that it has, and those in its own name. */
  function target(to: string, kept: readonly DimensionName[]): string {
    const named = known.get(to)
    if (!named) throw new Error(`a move leads to ${to}, which is not in the table`)
    const { has = [] } = baseRow(named.base)
    return nameOf({
      base: named.base,
      within: has.filter((name) => kept.includes(name) || named.within.includes(name)),
    })
  }

  function crossings({ base, within }: Twin): StateRow['on'] {
    const { has = [] } = baseRow(base)
    const moves = has.flatMap((name) => {
      const { enter, leave = [] }: Dimension = dimensions[name]
      if (within.includes(name)) {
        const to = nameOf({ base, within: within.filter((each) => each !== name) })
        return leave.map(({ event, owner }) => [event, { to, owner }] as const)
      }
      return enter
        ? [[enter.event, { to: nameOf({ base, within: [...within, name] }), owner: enter.owner }] as const]
        : []
    })
    return Object.fromEntries(moves)
  }

  function baseRow(base: string): BaseRow {
    const row = bases[base]
    if (!row) throw new Error(`there is no base ${base}`)
    return row
  }
}
