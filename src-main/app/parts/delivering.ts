/** Delivery plans and outputs. */
import { join } from 'node:path'
import type { Loupe } from '../../contract/contract.ts'
import { message } from '../../contract/words/message.ts'
import type { Notifications } from '../../notifications/notifications.ts'
import { openDeliveriesService } from '../services/deliveriesService.ts'
import type { DeliveringParts } from '../services/deliveringParts.ts'
import { openOutputsService } from '../services/outputsService.ts'
import type { Viewed } from './viewing.ts'

interface Others {
  notifications: Pick<Notifications, 'report'>
  /** Names of the templates that name an output. */
  templatesNaming(output: string): string[]
}

/** Opens both. They run while the engine does. */
export function openDelivering(
  viewed: Viewed,
  { notifications, templatesNaming }: Others,
): Pick<Loupe, 'deliveries' | 'outputs'> {
  const { setting, world, closers, archiveFolder, databasePath, store, archive, settings } = viewed
  const parts: DeliveringParts = {
    ...{ store, world, archive, databasePath, notifications, isEngine: setting.run },
    jobsFolder: viewed.places.folder,
    indexesFolder: join(archiveFolder, 'indexes'),
    replicas: settings.replicas(),
    ready: viewed.recovered.promise,
    onProblem: viewed.onBug((problem) => message('problem.delivering', { problem })),
  }
  const deliveries = openDeliveriesService(parts)
  closers.push(() => deliveries.close())
  const outputs = openOutputsService({ ...parts, templatesNaming, archiveFolders: viewed.archiveFolders })
  closers.push(() => outputs.close())
  return { deliveries: deliveries.service, outputs: outputs.service }
}
