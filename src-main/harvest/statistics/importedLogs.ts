/** Crawl logs in the metadata files of an imported job, as NetarchiveSuite wrote them. */
import { linesOf } from '../../formats/bytes/lines.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import type { TaskContext } from '../../world/world.ts'
import { domainCounter, usualReasonOf, type DomainCount } from './domainCounts.ts'

/** Names of metadata files: `<job>-metadata-1.warc`, perhaps with a prefix, also ARC, also compressed. */
const metadataName = /-metadata-\d+\.w?arc(?:\.gz)?$/i
const crawlLogUrl = /^metadata:\/\/[^/]*\/crawl\/logs\/crawl\.log(?:\.\d+)?(?:\?|$)/
const progressUrl = /^metadata:\/\/[^/]*\/crawl\/logs\/progress-statistics\.log(?:\?|$)/

/** Whether a file of an imported job may have its crawl log. */
export function isMetadataName(name: string): boolean {
  return metadataName.test(name)
}

/** Counts the crawl logs in metadata files. Without one, nothing is counted. */
export async function countImported(
  { world, signal }: Pick<TaskContext<unknown>, 'world' | 'signal'>,
  paths: readonly string[],
): Promise<ReadonlyMap<string, DomainCount>> {
  const counter = domainCounter()
  let lastProgress: string | undefined
  for (const path of paths) {
    const file = await world.disk.openRead(path)
    try {
      for await (const record of readRecords(file)) {
        signal.throwIfAborted()
        const url = record.url ?? ''
        const isLog = crawlLogUrl.test(url)
        if (!isLog && !progressUrl.test(url)) continue
        for await (const { text } of linesOf(record.block())) {
          if (isLog) counter.add(text)
          else if (text.trim() !== '') lastProgress = text
        }
      }
    } finally {
      await file.close()
    }
  }
  return counter.counts(usualReasonOf(lastProgress))
}
