/** Where the details and the result of a task are shown. */
import type { TaskSummary } from '../../../src-main/contract/services/tasks.ts'
import type { TaskKind } from '../../../src-main/contract/shapes/taskKinds.ts'
import type { ArchiveTab, Route } from '../../routes/routes.ts'
import type { Dialog } from '../../state/dialogs.ts'

type Place = { route: Route } | { dialog: Dialog }

const inArchive = (tab: ArchiveTab): Place => ({ route: { place: 'archive', tab } })

/** Undefined: the kind is shown nowhere else. */
const places: Record<TaskKind, ((task: Pick<TaskSummary, 'subject'>) => Place) | undefined> = {
  missing: () => inArchive('replicas'),
  checksums: () => inArchive('replicas'),
  spot: () => inArchive('replicas'),
  export: () => ({ dialog: 'export' }),
  batch: () => inArchive('batch'),
  upload: () => inArchive('files'),
  index: undefined,
  pageAudit: ({ subject }) => ({ route: { place: 'pageAudits', job: Number(subject.values?.['job']) } }),
  import: ({ subject }) => {
    const job = Number(subject.values?.['job'])
    return { route: job > 0 ? { place: 'job', job } : { place: 'jobs' } }
  },
}

export function placeOf(task: Pick<TaskSummary, 'kind' | 'subject'>): Place | undefined {
  return places[task.kind]?.(task)
}
