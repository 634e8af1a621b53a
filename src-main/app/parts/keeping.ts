/** Bit preservation, exports, batch jobs, uploads and recovery. */
import { openBatch } from '../../archive/batch/batch.ts'
import { openExports } from '../../archive/export/exports.ts'
import { openUploads } from '../../archive/store/uploads.ts'
import { openPreservation } from '../../archive/check/preservation.ts'
import { filesOutside, jobHolding, openRecovery } from '../../crawl/crawl.ts'
import { refuseBelowBy, rolesNow } from '../gate/callersNow.ts'
import { sightsOf } from '../gate/sights.ts'
import { openAccountsParts } from '../services/accountsService.ts'
import { openPreservationParts } from '../services/preservationParts.ts'
import { registerImports } from '../services/importTasks.ts'
import type { SessionLimits } from '../../access/access.ts'
import type { Settings } from '../settings/settings.ts'
import { message } from '../../contract/words/message.ts'
import type { Base } from './base.ts'

/** The base, and what keeps files. */
export type Kept = Base & Awaited<ReturnType<typeof openKeeping>>

/** Opens bit preservation, exports, batch jobs, uploads and recovery. */
export async function openKeeping(base: Base) {
  const { setting, world, closers, archiveFolder, store, archive, places, onBug } = base
  const common = { archive, store, world }
  const ready = base.recovered.promise
  const preservation = await openPreservation({
    ...{ ...common, tasks: base.tasks },
    onBug: onBug((problem) => message('problem.checking', { problem })),
  })
  closers.push(() => preservation.close())
  const around = await openPreservationParts({
    ...base,
    preservation,
    onNotice: setting.onNotice,
    run: setting.run,
    ready,
    outside: () => filesOutside(places),
  })
  closers.push(() => around.close())
  const { software } = base
  const exports = await openExports({ ...common, tasks: base.tasks, archiveFolder, software })
  const batch = await openBatch({ ...common, tasks: base.tasks, archiveFolder })
  await registerImports({ ...common, tasks: base.tasks, jobs: base.jobs, signals: base.signals, run: setting.run })
  const uploads = await openUploads({ ...common, tasks: base.tasks, jobHolding: jobHolding(store), ready })
  const recovery = openRecovery({
    ...{ ...common, jobs: base.jobs, quarantineFolder: places.quarantineFolder, ready },
    auditHead: around.auditHead,
    onBug: onBug((problem) => message('problem.recovering', { problem })),
  })
  closers.push(() => recovery.close())
  const accounts = openAccountsParts({
    ...{ store, world, auditLog: around.auditLog },
    limits: () => sessionLimits(base.settings),
    confirmedMs: () => base.settings.number('accounts.confirmedMinutesMax') * 60_000,
  })
  const now = rolesNow(accounts.rolesOf)
  const gate = { sightFor: sightsOf(base.access, now), refuseBelow: refuseBelowBy(now) }
  return { accounts, ...gate, preservation, around, exports, batch, uploads, recovery }
}

/** How long sessions of accounts last. */
function sessionLimits(settings: Settings): SessionLimits {
  return {
    idleMs: settings.number('accounts.idleMinutesMax') * 60_000,
    totalMs: settings.number('accounts.sessionHoursMax') * 3_600_000,
  }
}
