/** The folder `quarantine` of an archive, for files from the folders of jobs that its database does not know. They may be the only
 *  copy of a harvest, so they are removed only by the user, or by recovery once the archive has the same bytes. Each time files are
 *  set aside, they get a new folder with a note that explains them. */
import { message, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { join } from 'node:path'
import { DiskFault, type World } from '../../world/world.ts'

/** Location of the quarantine. */
export interface QuarantinePlace {
  world: Pick<World, 'disk' | 'clock'>
  /** `<archive>/quarantine`. */
  folder: string
}

/** A file in the quarantine. */
export interface QuarantinedFile {
  path: string
  name: string
  bytes: number
  /** The job from whose folder the file came; null if the name of its folder does not contain it. */
  job: number | null
}

/** The note in each folder. */
const noteName = 'README.txt'
const chunkBytes = 1_048_576

/** Creates a folder in the quarantine, with its note, for files from the folder of this job or, if `job` is null, from the folder
 *  for files that a browser uploaded. */
export async function quarantineFolderFor(
  { world, folder }: QuarantinePlace,
  { job, why }: { job: number | null; why: Message },
): Promise<string> {
  const nowMs = world.clock.now()
  const time = new Date(nowMs)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  for (let number = 1; ; number += 1) {
    const from = job === null ? 'incoming' : `job-${job}`
    const path = join(folder, `${time}-${from}${number === 1 ? '' : `-${number}`}`)
    if (await world.disk.isTaken(path)) continue
    await world.disk.makeFolder(path)
    await world.disk.write(join(path, noteName), Buffer.from(noteText(job, why)))
    return path
  }
}

function noteText(job: number | null, why: Message): string {
  const from = job === null ? message('quarantine.incoming') : message('quarantine.folder', { job })
  return `${textOf(message('quarantine.note', { from, why }))}
`
}

/** Moves a file into `folder` of the quarantine and returns its path. Leading dots are removed from its name, so that file managers
 *  do not hide it. */
export async function moveAside(
  { world }: Pick<QuarantinePlace, 'world'>,
  file: { folder: string; name: string },
  folder: string,
): Promise<string> {
  const path = await freePath(world, folder, file.name)
  await world.disk.rename(join(file.folder, file.name), path)
  await world.disk.syncFolder(folder)
  await world.disk.syncFolder(file.folder)
  return path
}

/** Copies a file that has to stay in place, under a name chosen as by `moveAside`. */
export async function copyAside(
  { world }: Pick<QuarantinePlace, 'world'>,
  file: { folder: string; name: string },
  folder: string,
): Promise<string> {
  const path = await freePath(world, folder, file.name)
  await copyTo(world, join(file.folder, file.name), path)
  await world.disk.syncFolder(folder)
  return path
}

async function freePath(world: Pick<World, 'disk'>, folder: string, name: string): Promise<string> {
  const visible = name.replace(/^\.+/, '')
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? visible : `${number}-${visible}`)
    if (!(await world.disk.isTaken(path))) return path
  }
}

/** Copies a file and syncs it; it has a temporary name until it is complete. */
export async function copyTo({ disk }: Pick<World, 'disk'>, from: string, to: string): Promise<void> {
  const temporary = `${to}.part`
  if (await disk.stat(temporary)) await disk.remove(temporary)
  const source = await disk.openRead(from)
  try {
    const target = await disk.openWrite(temporary, 'create')
    try {
      const buffer = new Uint8Array(chunkBytes)
      for (let read = await source.read(buffer, 0); read > 0; read = await source.read(buffer, target.position))
        await target.append([buffer.slice(0, read)])
      await target.sync()
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
  await disk.rename(temporary, to)
}

/** Lists the files in the quarantine without the notes. A missing folder is treated as empty. */
export async function listQuarantine({ world, folder }: QuarantinePlace): Promise<QuarantinedFile[]> {
  const files: QuarantinedFile[] = []
  for (const { name: inner, kind } of await listed(world, folder)) {
    if (kind !== 'folder') continue
    const job = /-job-(\d{1,15})(?:-\d+)?$/.exec(inner)?.[1]
    for (const { name, kind: type, bytes } of await listed(world, join(folder, inner))) {
      if (type !== 'file' || name === noteName) continue
      files.push({ path: join(folder, inner, name), name, bytes, job: job === undefined ? null : Number(job) })
    }
  }
  return files
}

/** Numbers of the jobs that have, or had, files in the quarantine. */
export async function quarantinedJobs({ world, folder }: QuarantinePlace): Promise<number[]> {
  const names = (await listed(world, folder)).map(({ name }) => name)
  return names.flatMap((name) => Number(/-job-(\d{1,15})(?:-\d+)?$/.exec(name)?.[1] ?? []) || [])
}

async function listed({ disk }: Pick<World, 'disk'>, folder: string) {
  try {
    return await disk.list(folder)
  } catch (error) {
    if (error instanceof DiskFault && error.code === 'absent') return []
    throw error
  }
}
