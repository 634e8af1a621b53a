/** Service `uploads` of the contract: files from elsewhere, stored in every replica. */
import type { Uploads } from '../../archive/store/uploads.ts'
import type { Loupe } from '../../contract/contract.ts'

/** Makes the service. */
export function uploadsService(uploads: Uploads): Loupe['uploads'] {
  return {
    start: ({ paths }) => uploads.start(paths),
    list: async () => uploads.list(),
    files: async ({ task, offset = 0, limit = 200 }) => uploads.files(task, { offset, limit }),
  }
}
