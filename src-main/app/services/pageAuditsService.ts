/** Service `pageAudits` of the contract. */
import type { Loupe } from '../../contract/contract.ts'
import { pageAuditRequest } from '../../contract/services/pageAudits.ts'
import type { PageAudits, PictureBytes } from '../../quality/pageAudits/pageAudits.ts'

/** Makes the service. */
export function pageAuditsService({ pageAudits }: { pageAudits: PageAudits }): Loupe['pageAudits'] {
  return {
    start: async (given) => pageAudits.start(pageAuditRequest.parse(given)),
    list: async ({ job }) => pageAudits.list(job),
    get: async ({ audit }) => pageAudits.one(audit),
    async pages({
      text = '',
      isFaulty = false,
      isUnjudged = false,
      sort = 'risk',
      descending = true,
      offset = 0,
      limit = 200,
      audit,
    }) {
      pageAudits.one(audit)
      return pageAudits.pages({ audit, text, isFaulty, isUnjudged, sort, descending, offset, limit })
    },
    page: async ({ page }) => pageAudits.page(page),
    picture: async ({ page, of }) => inText(await pageAudits.picture(page, of)),
    async thumbnail(page) {
      const found = await pageAudits.thumbnail(page)
      return found ? inText(found) : null
    },
  }
}

function inText({ mediaType, bytes }: PictureBytes): { mediaType: string; base64: string } {
  return { mediaType, base64: Buffer.from(bytes).toString('base64') }
}
