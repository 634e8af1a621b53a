/**
 * A selection of archived files: the files of jobs, files by their names, or everything. A job may have been deleted: its number stays in
 * the catalogue with its files. A file need not belong to a job: an uploaded one belongs to none. Views, exports and the lookup of a record
 * all take a selection.
 */
import { z } from 'zod'
import { refusedAs } from '../calls/refusedValue.ts'
import { jobId } from './shapes.ts'
import { message, type Message } from '../words/message.ts'
import { textOf } from '../words/render.ts'

/** A selection as a caller gives it. */
export interface Selection {
  readonly jobs?: readonly number[] | undefined
  readonly files?: readonly string[] | undefined
  /** Every content file of the archive at the time when the selection is opened. The two lists are then ignored. */
  readonly all?: boolean | undefined
}

/** The normal form of a selection: two selections with the same jobs and files are equal. */
export interface WholeSelection {
  /** Ascending, without duplicates. */
  readonly jobs: readonly number[]
  /** In the order of their code units, without duplicates. */
  readonly files: readonly string[]
  readonly all: boolean
}

/** Larger selections are made with `all`. */
const jobsMax = 10_000
const filesMax = 1_000

/** Fields of a selection, for shapes that include one. */
export const selectionShape = {
  jobs: z.array(jobId).max(jobsMax).default([]),
  /** Names in the archive. */
  files: z.array(z.string().min(1)).max(filesMax).default([]),
  all: z.boolean().default(false),
}

/** Adds to a shape with the fields of a selection the check that it is not empty. */
export function selecting<Shape extends z.ZodType<Selection>>(shape: Shape): Shape {
  return shape.refine(
    (selection) => !isEmpty(selection),
    refusedAs((field) => message('value.selection', { field })),
  )
}

/** Returns the normal form of a selection. */
export function selectionOf({ jobs = [], files = [], all = false }: Selection): WholeSelection {
  if (all) return { jobs: [], files: [], all }
  return { jobs: [...new Set(jobs)].toSorted((a, b) => a - b), files: [...new Set(files)].toSorted(), all }
}

/** Whether nothing is selected. */
export function isEmpty({ jobs = [], files = [], all = false }: Selection): boolean {
  return !all && jobs.length === 0 && files.length === 0
}

/** Formats a selection for the middle of a sentence: "job 3", "jobs 3, 4 and file a.warc.gz", "everything in the archive". */
export function selectionText(selection: Selection): string {
  return textOf(selectionMessage(selection))
}

/** A selection as a value of a message. */
export function selectionMessage(selection: Selection): Message {
  const { jobs, files, all } = selectionOf(selection)
  if (all) return message('selection.all')
  const ofJobs = message('selection.jobs', listed(jobs.map(String)))
  const ofFiles = message('selection.files', listed(files))
  if (jobs.length === 0) return ofFiles
  return files.length === 0 ? ofJobs : message('selection.both', { jobs: ofJobs, files: ofFiles })
}

/** Names in a text; users would not read more. */
const namedMax = 5

function listed(names: readonly string[]): { count: number; names: string; more: number } {
  const count = names.length
  return { count, names: names.slice(0, namedMax).join(', '), more: Math.max(0, count - namedMax) }
}
