/** Indexes, the viewer, and browsers that show its pages. */
import { join } from 'node:path'
import { leastRoles } from '../../contract/roles.ts'
import { message } from '../../contract/words/message.ts'
import { openLiveWeb } from '../../crawl/crawl.ts'
import { openIndexes } from '../../indexes/indexes.ts'
import { openPageAudits } from '../../quality/pageAudits/pageAudits.ts'
import { openQuality } from '../../quality/quality.ts'
import { openViewer } from '../../viewer/viewer.ts'
import { openViews, shownSelection } from '../../viewer/viewings/views.ts'
import { passOn } from '../../viewer/proxy/passOn.ts'
import { openBrowsers } from '../given/separateBrowsers.ts'
import { problemOf } from '../signals/faultsTranslated.ts'
import { elsewhereOf } from '../services/elsewhere.ts'
import type { Kept } from './keeping.ts'

/** What keeps files, and what shows them. */
export type Viewed = Kept & Awaited<ReturnType<typeof openViewing>>

/** Opens indexes, the viewer, and browsers that show its pages. */
export async function openViewing(kept: Kept) {
  const { setting, world, closers, archiveFolder, store, archive, settings, jobs, signals } = kept
  const views = openViews({ store, world })
  const indexes = await openIndexes({
    ...{ folder: join(archiveFolder, 'indexes'), world, archive, tasks: kept.tasks },
    bytesMax: () => settings.number('viewer.indexBytesMax'),
    namedSelections: () => views.named().map(shownSelection),
  })
  closers.push(() => indexes.close())
  const onQualityProblem = kept.onBug((problem) => message('problem.qualityFiles', { problem }))
  const quality = openQuality({
    ...{ store, world, jobs, archive, indexes, selectionOf: views.selectionOf },
    ...{ folder: join(archiveFolder, 'quality'), quarantineFolder: kept.places.quarantineFolder },
    ...{ software: kept.software, isEngine: setting.run, ready: kept.recovered.promise },
    onProblem: onQualityProblem,
  })
  closers.push(() => quality.close())
  const viewer = await openViewer({
    ...{ store, world, archive, indexes, folder: archiveFolder, operator: kept.operator },
    port: setting.viewerPort || settings.number('viewer.port'),
    allowedOrigins: setting.allowedOrigins ?? [],
    accessRules: settings.accessRules,
    sightFor: kept.sightFor,
    needsCredentials: setting.viewerNeedsCredentials ?? false,
    isRefusalSaid: () => settings.authorities().hiddenCaptures === 'restricted',
    recordCacheBytesMax: () => settings.number('viewer.recordCacheBytesMax'),
    otherCaptures: elsewhereOf({ jobs, archive, indexes }),
    onMissed: quality.noteBrowsed,
    overlaysOver: quality.overlays.over,
    missing: {
      async add(caller, all, url) {
        kept.refuseBelow(caller, leastRoles.misses.add, 'misses.add')
        for (const job of all) quality.misses.add({ job, urls: [url], page: '' })
      },
      async harvest(caller, all, url) {
        kept.refuseBelow(caller, leastRoles.misses.harvest, 'misses.harvest')
        await kept.settled.promise
        const made = quality.patches.harvest({ jobs: all, url }, {})
        signals.report({ kind: 'changed', job: made.job })
        return made
      },
    },
    onProblem: (error, failure) => signals.problem(problemOf(error, 'viewer', failure)),
  })
  closers.push(() => viewer.close())
  const pageAudits = await openPageAudits({
    ...{ store, world, archive, jobs, indexes, viewer, archiveFolder, tasks: kept.tasks, files: quality.files },
    openBrowser: setting.openPageBrowser,
    liveWebOf: (job) => openLiveWeb({ store, world, settings: settings.crawl() }, job),
    ...{ isEngine: setting.run, ready: kept.recovered.promise, onProblem: onQualityProblem },
  })
  if (setting.run)
    signals.onJob(({ ended }) => {
      if (ended === null) return
      void quality.settle()
      void pageAudits.restore()
    })
  const browsers = openBrowsers({
    ...{ proxyPort: viewer.proxy.port, spkiSha256: viewer.certificate.spkiSha256 },
    start: setting.startBrowser,
  })
  closers.push(() => browsers.close())
  const passedOn = passOn(viewer.proxy.port)
  closers.push(() => passedOn.close())
  return { indexes, quality, viewer, pageAudits, browsers, passedOn }
}
