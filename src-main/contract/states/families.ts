/** States that differ in one dimension are written once: a base row says which dimensions it has, and its twins are made here.
 *  A job that is being paused while seeds are queued is PAUSING in the dimension "seeding": PAUSINGSEEDING. A twin has
 *  the moves of its base; a move to a base that has the dimension too stays in it, any other leaves it. */
import type { StateRow, Tone } from './stateTable.ts'

interface Dimension {
  /** What it adds to the base's name; the order of the dimensions is the order in the name. */
  suffix: string
  /** What it adds to the base's meaning: a sentence. */
  meaning: string
  /** Where it changes how the state looks. */
  look?: { badge: string; tone: Tone }
  /** How a state gets into it, from its base, and out of it. */
  enter?: { event: string; owner: string }
  leave?: { event: string; owner: string }[]
}

/** In the order of their suffixes. */
export const dimensions = {
  seeding: {
    suffix: 'SEEDING',
    meaning: 'New seeds are being queued.',
    leave: [
      { event: 'seedingEnded', owner: 'seeding' },
      { event: 'interrupted', owner: 'recovery' },
    ],
  },
  minimal: { suffix: 'MINIMAL', meaning: 'This is an incremental run: only new and changed pages are captured.' },
  uninstalled: {
    suffix: '_UNINSTALLED',
    meaning: 'A connector of the job is not installed; the job waits until it is installed again.',
    look: { badge: 'No connector', tone: 'attention' },
    enter: { event: 'connectorGone', owner: 'assessment' },
    leave: [{ event: 'connectorBack', owner: 'assessment' }],
  },
  noOutput: {
    suffix: '_NOOUTPUT',
    meaning: 'The output connector is not installed; nothing is deleted until it is installed again.',
    look: { badge: 'No connector', tone: 'attention' },
    enter: { event: 'connectorGone', owner: 'assessment' },
    leave: [{ event: 'connectorBack', owner: 'assessment' }],
  },
} as const satisfies Record<string, Dimension>
export type DimensionName = keyof typeof dimensions

export interface BaseRow extends StateRow {
  /** The dimensions that it has twins in. */
  has?: readonly DimensionName[]
  /** `never`: twins in this dimension do not have the move. `drops`: the move leaves this dimension also where the target has
   *  it, as a restart that asks for a whole run does. `to` may name a twin: the move enters what it names. */
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

/** Every state that the bases expand to. */
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

interface Twin {
  base: string
  within: readonly DimensionName[]
}

const order = Object.keys(dimensions) as DimensionName[]

function nameOf({ base, within }: Twin): string {
  return base + order.flatMap((name) => (within.includes(name) ? [dimensions[name].suffix] : [])).join('')
}

/** The base itself first, then its twins; those in two dimensions last. */
function twinsOf(base: string, has: readonly DimensionName[]): Twin[] {
  let all: DimensionName[][] = [[]]
  for (const name of has) all = [...all, ...all.map((within) => [...within, name])]
  return all.map((within) => ({ base, within }))
}

/** The rows of every state, each base followed by its twins; and of which base each is. */
export function expanded<const Bases extends Record<string, BaseRow>>(
  bases: Bases,
): { rows: RowsOf<Bases>; baseOf: Record<Expanded<Bases>, keyof Bases & string> } {
  const twins = Object.entries(bases).flatMap(([base, { has = [] }]) => twinsOf(base, has))
  const known = new Map(twins.map((twin) => [nameOf(twin), twin]))
  const rows = twins.map((twin): [string, StateRow] => [nameOf(twin), rowOf(twin)])
  return {
    rows: Object.fromEntries(rows) as RowsOf<Bases>,
    baseOf: Object.fromEntries(twins.map((twin) => [nameOf(twin), twin.base])) as Record<
      Expanded<Bases>,
      keyof Bases & string
    >,
  }

  function rowOf({ base, within }: Twin): StateRow {
    const { meaning, badge, tone, on } = baseRow(base)
    const looks = within.flatMap((name): Dimension['look'][] => [(dimensions[name] as Dimension).look])
    const sentences = [meaning, ...within.map((name) => dimensions[name].meaning)]
    return {
      meaning: sentences.join(' '),
      badge,
      tone,
      ...looks.findLast((look) => look !== undefined),
      on: { ...ownMoves(on, within), ...crossings({ base, within }) },
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

  /** In what the target has of it, and what its name says. */
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
