/** The browser with which a shell opens pages for page audits. What it does is written down in the floor that needs it. */
import type { PageBrowser, PageProxy } from '../../quality/model/pageBrowser.ts'

export type {
  LivePage,
  PageBrowser,
  PageProxy,
  PageToVisit,
  SeenResource,
  Visit,
} from '../../quality/model/pageBrowser.ts'

/** Opens the browser of a shell. Rejects with `Fault` refused if this machine has none. */
export type OpenPageBrowser = (proxy: PageProxy) => Promise<PageBrowser>
