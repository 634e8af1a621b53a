/**
 * A state machine as one readable table: state → event → next, with the only owner of each move. Types, UPDATE statements, the trigger that
 * refuses other moves, the diagram and the badges are all made from it. It is in the contract because the interface draws its badges from
 * the same table; `storage` makes the SQL. Texts of the states are in `words/stateWords.ts`.
 */
import type { Message } from '../words/message.ts'

/** Appearance of a state: the interface gives each tone one colour and one symbol, in both themes. */
export type Tone = 'idle' | 'running' | 'waiting' | 'done' | 'attention' | 'failed'

/** The row of one state. */
export interface StateRow {
  tone: Tone
  /** event → the next state and the only owner of this move. */
  on: Record<string, { to: string; owner: string }>
}

/** Texts of one state. */
export interface StateTexts {
  /** Meaning of the state for the user, in one or two sentences. */
  meaning: Message
  /** Two or three words on the badge. */
  badge: Message
}

/** A state machine with its moves. */
export interface StateTable<State extends string, Event extends string> {
  name: string
  initial: State
  states: readonly State[]
  rows: Readonly<Record<State, StateRow & StateTexts>>
  /** Returns the state after `event`, or undefined when the table refuses it in `state`. */
  next(state: State, event: Event): State | undefined
  /** Every (from, event, to) of the table, in its order. */
  moves: readonly { from: State; event: Event; to: State; owner: string }[]
}

type EventsOf<Rows extends Record<string, StateRow>> = { [S in keyof Rows]: keyof Rows[S]['on'] }[keyof Rows] & string

/**
 * Makes a table. The codes of its texts are `name.STATE` and `name.STATE.badge`, unless `textsOf` chooses others. Throws (a wrong table is a
 * bug) when a move leads to a state that the table does not have, or when a state other than the initial one can never be reached.
 */
export function stateTable<const Rows extends Record<string, StateRow>>(
  name: string,
  initial: keyof Rows & string,
  rows: Rows,
  textsOf: (state: keyof Rows & string) => StateTexts = (state) => textsNamed(`${name}.${state}`),
): StateTable<keyof Rows & string, EventsOf<Rows>> {
  type State = keyof Rows & string
  const states = Object.keys(rows) as State[]
  const moves = states.flatMap((from) =>
    Object.entries(rows[from]?.on ?? {}).map(([event, { to, owner }]) => ({
      from,
      event,
      to,
      owner,
    })),
  )
  for (const { from, event, to } of moves) {
    if (!Object.hasOwn(rows, to))
      throw new Error(`${name}: ${from} on ${event} leads to ${to}, which is not in the table`)
  }
  const reached = new Set<State>([initial])
  for (let before = 0; before !== reached.size;) {
    before = reached.size
    for (const { from, to } of moves) if (reached.has(from)) reached.add(to)
  }
  for (const state of states) if (!reached.has(state)) throw new Error(`${name}: nothing leads to ${state}`)
  return {
    name,
    initial,
    states,
    rows: Object.fromEntries(
      states.map((state) => [state, { ...(rows[state] as StateRow), ...textsOf(state) }]),
    ) as Record<State, StateRow & StateTexts>,
    moves,
    next: (state, event) => moves.find((move) => move.from === state && move.event === event)?.to,
  }
}

type AnyTable = Pick<StateTable<string, string>, 'states' | 'moves'>

/** Whether the table accepts the event in the state. False for a state that it does not have, as one of a newer version. */
export function accepts<Table extends AnyTable>(
  table: Table,
  state: string,
  event: Table['moves'][number]['event'],
): boolean {
  return table.moves.some((move) => move.from === state && move.event === event)
}

/** Whether no move leads out of the state: what was in progress has ended for good. */
export function isFinal({ states, moves }: AnyTable, state: string): boolean {
  return states.includes(state) && moves.every(({ from }) => from !== state)
}

/** Returns the texts with this code, as `words/stateWords.ts` has them. */
function textsNamed(code: string): StateTexts {
  return { meaning: { code }, badge: { code: `${code}.badge` } }
}

/** Returns the table as a Mermaid state diagram, for `docs/state-machines.md`. */
export function diagram<S extends string, E extends string>(table: StateTable<S, E>): string {
  const arrows = table.moves.map(({ from, event, to, owner }) => `  ${from} --> ${to}: ${event} (${owner})`)
  return ['stateDiagram-v2', `  [*] --> ${table.initial}`, ...arrows].join('\n')
}
