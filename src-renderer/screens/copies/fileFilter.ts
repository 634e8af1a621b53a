/** Filters of the file list as they are written in the URL, so that a number on a card can link to its files, and going back from a file
 *  finds the list unchanged. Unknown parts of a URL are ignored. */
import {
  copyStates,
  fileOrders,
  type CopyState,
  type FileOrder,
} from '../../../src-main/contract/services/archivedFiles.ts'

export interface FileFilter {
  text: string
  job: number | null
  state: CopyState | null
  replica: string | null
  order: FileOrder
  direction: 'ascending' | 'descending'
}

export const everyFile: FileFilter = {
  text: '',
  job: null,
  state: null,
  replica: null,
  order: 'name',
  direction: 'ascending',
}

export function filterIn(query: string): FileFilter {
  const given = new URLSearchParams(query)
  return {
    text: given.get('text') ?? '',
    job: /^[1-9]\d{0,14}$/.test(given.get('job') ?? '') ? Number(given.get('job')) : null,
    state: copyStates.find((state) => state === given.get('state')) ?? null,
    replica: given.get('replica') || null,
    order: fileOrders.find((order) => order === given.get('order')) ?? everyFile.order,
    direction: given.get('direction') === 'descending' ? 'descending' : 'ascending',
  }
}

/** Empty for all files in the default order. */
export function queryOf({ text, job, state, replica, order, direction }: FileFilter): string {
  const query = new URLSearchParams()
  if (text !== '') query.set('text', text)
  if (job !== null) query.set('job', String(job))
  if (state !== null) query.set('state', state)
  if (replica !== null) query.set('replica', replica)
  if (order !== everyFile.order) query.set('order', order)
  if (direction !== everyFile.direction) query.set('direction', direction)
  return query.toString()
}

export function isNarrow({ text, job, state, replica }: FileFilter): boolean {
  return text !== '' || job !== null || state !== null || replica !== null
}

/** The request for the engine; filters that are not set are omitted. */
export function askedOf({ text, job, state, replica, order, direction }: FileFilter) {
  return {
    ...(text === '' ? {} : { text }),
    ...(job === null ? {} : { job }),
    ...(state === null ? {} : { state }),
    ...(replica === null ? {} : { replica }),
    order,
    direction,
  }
}
