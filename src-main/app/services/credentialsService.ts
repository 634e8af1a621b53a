/** Service `credentials` of the contract: they can be stored, and are never returned. */
import type { Loupe } from '../../contract/contract.ts'
import type { Credentials } from '../../crawl/crawl.ts'

export function credentialsService(credentials: Credentials): Loupe['credentials'] {
  return {
    list: async () => ({ store: await credentials.keptIn(), credentials: credentials.list() }),
    set: (credential) => credentials.set(credential),
    async remove({ name }) {
      await credentials.remove(name)
      return { name }
    },
  }
}
