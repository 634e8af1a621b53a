/** Service `quickOpen` of the contract. */
import { fileNameStatements } from '../../archive/copies/fileNames.sql.ts'
import type { Loupe } from '../../contract/contract.ts'
import { jobNameStatements } from '../../crawl/jobs/jobNames.sql.ts'
import { harvestNameStatements } from '../../harvest/definitions/harvestNames.sql.ts'
import { domainNameStatements } from '../../harvest/domains/domainNames.sql.ts'
import { openNames, type NameSource } from '../../indexes/names/names.ts'
import type { Store } from '../../storage/storage.ts'

/** Makes the service. Names are read when they are asked for first, and stay in memory. */
export function quickOpenService({ store }: { store: Store }): Loupe['quickOpen'] {
  const changing = { mayChange: true }
  const names = openNames({
    // A job is found by its number, too.
    job: { ...sourceOf(jobNameStatements(store), changing), textOf: ({ id, name }) => `job ${id} ${name}` },
    harvest: sourceOf(harvestNameStatements(store), changing),
    domain: sourceOf(domainNameStatements(store), changing),
    file: sourceOf(fileNameStatements(store), { mayChange: false }),
  })
  return {
    async find({ text, limit = 20 }) {
      if (text.trim() === '') names.refresh()
      return names.find({ text, limit })
    },
  }
}

function sourceOf(
  { after, one }: ReturnType<typeof jobNameStatements>,
  { mayChange }: Pick<NameSource, 'mayChange'>,
): NameSource {
  return { mayChange, after: (query) => after.all(query), nameOf: (id) => one.get({ id })?.name }
}
