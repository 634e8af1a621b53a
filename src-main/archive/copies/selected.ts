/** Files of a selection, from the current catalogue. The whole archive, which may hold a million files, is read in steps so that other
 *  work can run in between. */
import { message } from '../../contract/words/message.ts'
import { selectionOf, type Selection } from '../../contract/shapes/selection.ts'
import type { World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import type { ArchiveStatements, FileRow } from './archive.sql.ts'
import { selectedStepCount } from '../files/limits.ts'

export type SelectedFile = Pick<FileRow, 'name' | 'kind' | 'bytes' | 'sha256'> & { job: number | null }

/** The files and jobs of a selection. */
export interface Selected {
  /** Selected files without duplicates, in the order of registration, grouped by job when several are selected. */
  files: SelectedFile[]
  /** Selected jobs, ascending; for the whole archive, all jobs that have files. */
  jobs: number[]
  /** Selected jobs without any file in the archive. */
  jobsMissing: number[]
}

export interface SelectOptions {
  /** Whether metadata files of jobs and of the whole archive are included. A file selected by name always is. */
  withMetadata?: boolean
}

export interface SelectionReader {
  /** Selects by jobs and names. Throws `ArchiveFault` notFound for a name that the archive does not have. */
  selected(selection: Omit<Selection, 'all'>, options?: SelectOptions): Selected
  /** Selects all files that at least one replica holds completely; a file still being uploaded to its first replica is not archived
   *  yet. */
  everything(options?: SelectOptions): Promise<Selected>
}

interface Parts {
  statements: ArchiveStatements
  world: Pick<World, 'clock'>
}

/** Creates the reader of selections, which takes the files from the catalogue and reads none of them. */
export function selectionReader({ statements, world }: Parts): SelectionReader {
  function named(name: string): FileRow {
    const file = statements.file.get({ name })
    if (!file) throw new ArchiveFault('notFound', message('file.absent', { name }), { fields: [['files']] })
    return file
  }

  return {
    selected(selection, options) {
      const { jobs, files: names } = selectionOf(selection)
      const ofJobs = jobs.map((job) => statements.filesOfJob.all({ job }))
      const chosen = [...ofJobs.flat().filter(isWanted(options)), ...names.map(named)]
      return {
        files: [...new Map(chosen.map((file) => [file.id, shown(file)])).values()],
        jobs: [...jobs],
        jobsMissing: jobs.filter((_, at) => ofJobs[at]?.length === 0),
      }
    },
    async everything(options) {
      const files: SelectedFile[] = []
      for (let after: number | undefined = 0; after !== undefined;) {
        const step: FileRow[] = statements.heldFiles.all({ after, limit: selectedStepCount })
        files.push(...step.filter(isWanted(options)).map(shown))
        after = step.length < selectedStepCount ? undefined : step.at(-1)?.id
        if (after !== undefined) await world.clock.sleep(0)
      }
      const jobs = new Set(files.flatMap(({ job }) => job ?? []))
      return { files, jobs: [...jobs].toSorted((a, b) => a - b), jobsMissing: [] }
    },
  }
}

function isWanted({ withMetadata = false }: SelectOptions = {}): (file: FileRow) => boolean {
  return ({ kind }) => withMetadata || kind === 'content'
}

function shown({ name, kind, bytes, sha256, jobId }: FileRow): SelectedFile {
  return { name, kind, bytes, sha256, job: jobId }
}
