/** Views: a selection of archived files at a moment, with an optional name, stored in the database. Opening the same selection
 *  again finds the same view, and with it the findings of the interface's viewing. */
import { selectionOf, type Selection, type WholeSelection } from '../../contract/shapes/selection.ts'
import type { Moment } from '../../indexes/indexes.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { viewStatements, type ViewRow } from './views.sql.ts'

/** What is to be shown. */
export interface Chosen extends Selection {
  readonly moment: Moment
  /** How far captures may be from the moment, for moments other than newest and oldest. Undefined: any distance. */
  readonly withinMs: number | undefined
  /** Only captures of exactly this URL answer (no rules of `fuzzyRules.ts`). */
  readonly isExact?: boolean
  /** Patch jobs whose captures are shown with those of the selected jobs. */
  readonly overlays?: readonly number[]
}

/** A selection, and what is shown over it. */
export interface ViewedSelection extends WholeSelection {
  overlays: number[]
}

/** A stored view. */
export interface View extends Omit<Chosen, keyof Selection | 'overlays'>, ViewedSelection {
  readonly view: number
}

/** The selection whose captures a view shows: with its overlays. */
export function shownSelection({
  overlays = [],
  jobs = [],
  files = [],
  all = false,
}: Chosen | ViewedSelection): WholeSelection {
  return selectionOf({ jobs: [...jobs, ...overlays], files, all })
}

/** The views of the archive. */
export interface Views {
  /** Finds the view, or creates it. The findings of an existing view are kept. */
  enter(chosen: Chosen): View
  /** The name of a view; null if it has none. */
  nameOf(view: number): string | null
  /** The selection of a view. Undefined if the view does not exist. */
  selectionOf(view: number): ViewedSelection | undefined
  /** All views with a name, sorted by name. */
  named(): (View & { name: string })[]
  /** Names a view. Another view with this name loses it. */
  name(view: number, name: string): void
  /** Removes the name. The view itself and its findings stay. */
  forget(name: string): void
}

/** Opens the views in the database. */
export function openViews({ store, world }: { store: Store; world: World }): Views {
  const sql = viewStatements(store)
  return {
    enter({ moment, withinMs, isExact = false, overlays = [], ...selection }) {
      const { jobs, files, all } = selectionOf(selection)
      const asked: Omit<ViewRow, 'id' | 'name'> = {
        jobs: JSON.stringify(jobs),
        files: JSON.stringify(files),
        isAll: all ? 1 : 0,
        moment: moment.kind,
        atMs: moment.kind === 'nearest' ? moment.atMs : null,
        withinMs: withinMs ?? null,
        isExact: isExact ? 1 : 0,
        overlays: JSON.stringify(overlays),
      }
      const row = sql.findView.get(asked) ?? sql.addView.get({ ...asked, nowMs: world.clock.now() })
      if (!row) throw new Error('INSERT … RETURNING gave no row')
      return viewOf(row)
    },
    nameOf: (view) => sql.nameOf.get({ view })?.name ?? null,
    selectionOf(view) {
      const row = sql.selectionOf.get({ view })
      return row && selectionIn(row)
    },
    named: () => sql.named.all({}).map(({ name, ...row }) => ({ ...viewOf({ ...row, name }), name })),
    name: (view, name) =>
      store.transaction(() => {
        sql.dropName.run({ name })
        sql.setName.run({ view, name })
      }),
    forget: (name) => void sql.dropName.run({ name }),
  }
}

function selectionIn({
  jobs,
  files,
  isAll,
  overlays,
}: Pick<ViewRow, 'jobs' | 'files' | 'isAll' | 'overlays'>): ViewedSelection {
  return {
    ...{ jobs: JSON.parse(jobs) as number[], files: JSON.parse(files) as string[], all: isAll === 1 },
    overlays: JSON.parse(overlays) as number[],
  }
}

function viewOf({ id, moment, atMs, withinMs, isExact, ...selection }: ViewRow): View {
  return {
    view: id,
    ...selectionIn(selection),
    moment: moment === 'nearest' ? { kind: moment, atMs: atMs ?? 0 } : { kind: moment },
    withinMs: withinMs ?? undefined,
    isExact: isExact === 1,
  }
}
