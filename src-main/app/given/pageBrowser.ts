/** The browser with which a shell opens pages for page audits, as the floor `quality` needs it. */
export type {
  OpenPageBrowser,
  PageBrowser,
  PageProxy,
  PageToVisit,
  SeenResource,
  Visit,
  VisitedPage,
} from '../../quality/model/pageBrowser.ts'
