/**
 * Permissions of the folders of an archive when they are opened: closed to other accounts of the machine, or open to a group, as the
 * setting `archive.sharedWith` requires. Differences are corrected, written to the audit log and reported.
 */
import { isAbsolute } from 'node:path'
import type { AuditLog } from '../../archive/audit/audit.ts'
import { closeContents, closeFolder, folderModeFor, type ClosedFolder } from '../../archive/files/folderPermissions.ts'
import { isInside } from '../../world/isInside.ts'
import type { Replica } from '../../archive/replica/replica.ts'
import type { SharedWith } from '../../contract/shapes/choices.ts'
import type { Disk } from '../../world/world.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** Checks and corrections of the permissions of one archive. */
export interface ClosedFolders {
  /** Checks the archive's folder, before anything in it is opened. */
  archive(): Promise<void>
  /** Checks the replicas in other places, once each has been recognised by its mark. */
  replicas(places: readonly Pick<Replica, 'folder' | 'problem'>[]): Promise<void>
  /** Writes the corrections to the audit log. Returns a sentence for each folder with something to report. */
  note(auditLog: AuditLog, nowMs: number): string[]
  /** Continues with the contents of the folders, which may take long. */
  contents(signal: AbortSignal): Promise<void>
}

/** Result for one folder: its mode before, and why a correction was refused, if it was. */
interface Found extends ClosedFolder {
  folder: string
}

/** Makes the checks of one archive. Findings are collected here because the folders have to be closed before the
 *  database, and with it the audit log, is opened. */
export function closedFolders(setting: { disk: Disk; archiveFolder: string; sharedWith: SharedWith }): ClosedFolders {
  const { disk, archiveFolder, sharedWith } = setting
  const found: Found[] = []
  const close = async (folder: string) => {
    found.push({ folder, ...(await closeFolder({ disk, folder, sharedWith })) })
  }
  return {
    archive: () => close(archiveFolder),
    async replicas(places) {
      const archive = await disk.realPath(archiveFolder)
      for (const place of places) {
        // The module of a replica may keep its files anywhere.
        if ((await place.problem()) !== undefined || !isAbsolute(place.folder)) continue
        // A name inside the archive may be a link to another disk.
        const folder = await disk.realPath(place.folder)
        if (!isInside(archive, folder)) await close(folder)
      }
    },
    note(auditLog, nowMs) {
      for (const { folder, was, refused } of found) {
        if (was === undefined || refused !== undefined) continue
        const became = { mode: octal(folderModeFor(sharedWith)), 'archive.sharedWith': sharedWith }
        auditLog.append(
          { who: 'opening', what: 'permissions', subject: folder, was: { mode: octal(was) }, became },
          nowMs,
        )
      }
      return found
        .map((one) => messageFor(one, sharedWith))
        .filter((one) => one !== undefined)
        .map(textOf)
    },
    async contents(signal) {
      for (const { folder } of found) await closeContents({ disk, folder, sharedWith }, signal)
    },
  }
}

function messageFor({ folder, was, refused }: Found, sharedWith: SharedWith): Message | undefined {
  if (was === undefined) return undefined
  const [before, wanted] = [octal(was), octal(folderModeFor(sharedWith))]
  if (refused === 'denied') return message('folder.permissions.denied', { folder, before, wanted })
  if (refused === 'ignored') return message('folder.permissions.ignored', { folder })
  if (sharedWith === 'group') return message('folder.permissions.group', { folder, before, wanted })
  return message('folder.permissions.closed', { folder, before, wanted })
}

/** Formats a mode as `chmod` takes it: `0700`. */
function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0')
}
