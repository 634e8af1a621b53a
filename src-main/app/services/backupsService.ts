/** Service `backups` of the contract. */
import type { Backups } from '../../archive/backup/backups.ts'
import type { Loupe } from '../../contract/contract.ts'

/** Makes the service. `emptied` confirms that the folder may lack all of the backups made in it. */
export function backupsService(backups: Backups): Loupe['backups'] {
  return {
    status: () => backups.status(),
    list: () => backups.list(),
    make: ({ emptied = false }) => backups.make({ by: 'user', emptied }),
    verify: ({ name }) => backups.verify(name),
    changed: (onPayload) => backups.onChange(onPayload),
  }
}
