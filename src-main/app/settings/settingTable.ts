/** Every setting of an archive, as the floors declare them. Any other key in a file is refused. */
import { accessSettings } from '../../access/access.ts'
import { archiveSettings } from '../../archive/archiveSettings.ts'
import { numberSetting, type SettingDeclaration } from '../../contract/services/settings.ts'
import { crawlSettings } from '../../crawl/crawl.ts'
import { generationSettings } from '../../harvest/harvest.ts'
import { notificationSettings } from '../../notifications/notifications.ts'
import { viewerSettings } from '../../viewer/viewerSettings.ts'

/** The port of the interface. */
const serverPort: SettingDeclaration = {
  ...numberSetting('server.port', { min: 0, max: 65_535, default: 0, example: 8080, atStart: true }),
  isOfArchive: true,
}

/** The settings, in the order in which they are listed. */
export const settingTable: readonly SettingDeclaration[] = [
  ...archiveSettings,
  ...crawlSettings,
  ...generationSettings,
  ...viewerSettings,
  ...notificationSettings,
  ...accessSettings,
  serverPort,
]
