/** What backups of the database leave out. */
import { accountSessionTables } from '../../access/access.ts'
import { sessionTables } from '../../crawl/crawl.ts'

/** Tables whose rows give access to something: sessions of logins that harvests use, and sessions of accounts. */
export const leftOutOfBackups: readonly string[] = [...sessionTables, ...accountSessionTables]
