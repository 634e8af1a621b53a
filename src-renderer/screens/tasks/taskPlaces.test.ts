import { expect, test } from 'vitest'
import { taskKindNames, type TaskKind } from '../../../src-main/contract/shapes/taskKinds.ts'
import { translate } from '../../words/language.ts'
import { taskName } from './taskName.ts'
import { placeOf } from './taskPlaces.ts'

const task = (kind: TaskKind, job = 7) => ({ kind, subject: { code: 'import.task', values: { name: 'old', job } } })

test('every kind has a name that begins with its kind', () => {
  for (const kind of taskKindNames) expect(taskName(translate, task(kind))).toMatch(/^[A-Z].*: old, job 7$/)
})

test('an import leads to its job, and a task of another kind to where its result is', () => {
  const places = taskKindNames.map((kind) => [kind, placeOf(task(kind))])
  expect(Object.fromEntries(places)).toMatchObject({
    import: { route: { place: 'job', job: 7 } },
    export: { dialog: 'export' },
    batch: { route: { place: 'archive', tab: 'batch' } },
    checksums: { route: { place: 'archive', tab: 'replicas' } },
  })
})
