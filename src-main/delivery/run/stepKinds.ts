/** All kinds of steps under the names by which plans have them. */
import { folderCopy } from '../destinations/folderCopy.ts'
import { openSearch, solr } from '../destinations/searchEngines.ts'
import { textIndex } from '../destinations/textIndex.ts'
import { webhook } from '../destinations/webhook.ts'
import type { StepKinds } from '../model/steps.ts'
import { checksum, drop, language, links, split, text, title } from '../processors/processors.ts'
import { captureScanner } from '../scanners/captureScanner.ts'
import { folderScanner, selectionScanner } from '../scanners/fileScanners.ts'

export const stepKinds: StepKinds = {
  captures: captureScanner,
  warcFolder: folderScanner,
  selection: selectionScanner,
  ...{ links, title, text, language, checksum, split, drop },
  folder: folderCopy,
  ...{ webhook, solr, openSearch, textIndex },
}
