/** Findings in the samples of other projects: JWAT's samples have the faults that they are named after, and the rest has only
 *  known ones. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { RuleName } from './rules/rules.ts'
import { checkArchiveFile } from './checkFile.ts'
import { FindingTally } from './rules/findingTally.ts'
import { nowMs } from './check/testing/recordFixtures.ts'
import { sourceOf } from './bytes/testing/sourceOf.ts'
import { corpora, hasCorpora } from './testing/corpora.ts'

const isHere = hasCorpora('inventory.json')

async function tallyOf(file: string): Promise<FindingTally> {
  const tally = new FindingTally(3)
  const bytes = readFileSync(new URL(file, corpora))
  for await (const checked of checkArchiveFile(sourceOf(bytes), { name: file, bytes: bytes.length, nowMs }))
    for (const found of checked.findings) tally.add(found, checked.file)
  return tally
}

/** Rules that the invalid samples of JWAT must break, as their names say. */
const jwat: Record<string, RuleName[]> = {
  'invalid-warcfile-contenttype-recommended.warc': ['contentTypeMissing'],
  'invalid-warcfile-contenttype-warcinfo-recommended.warc': ['descriptionTypeOdd', 'uuidOdd'],
  'invalid-warcfile-digest-fields.warc': ['blockDigestWrong', 'payloadDigestWrong', 'digestUnknown'],
  'invalid-warcfile-duplicate-fields.warc': ['fieldRepeated'],
  // Its non-ASCII letters were lost before it was written: the field contains a valid URI.
  'invalid-warcfile-encoding-headers.warc.gz': [],
  'invalid-warcfile-fields-empty.warc': [
    'typeMissing',
    'dateMissing',
    'lengthInvalid',
    'recordIdMissing',
    'fieldEmpty',
  ],
  'invalid-warcfile-fields-invalidformat.warc': [
    'lengthInvalid',
    'targetNotUri',
    'dateInvalid',
    'ipAddressInvalid',
    'idMalformed',
    'mediaTypeInvalid',
    'digestUnknown',
    'segmentNumberInvalid',
  ],
  'invalid-warcfile-fields-missing.warc': [
    'typeMissing',
    'dateMissing',
    'lengthInvalid',
    'recordIdMissing',
    'fieldEmpty',
  ],
  'invalid-warcfile-lonely-continuation.warc': [
    'dateMissing',
    'recordIdMissing',
    'lengthInvalid',
    'targetMissing',
    'segmentNumberMissing',
    'segmentOriginMissing',
  ],
  'invalid-warcfile-lonely-monkeys.warc': ['typeUnknown', 'dateMissing', 'recordIdMissing', 'lengthInvalid'],
  'invalid-warcfile-lonely-request-response-resource-conversion.warc': [
    'dateMissing',
    'recordIdMissing',
    'lengthInvalid',
    'targetMissing',
  ],
  'invalid-warcfile-lonely-revisit.warc': [
    'dateMissing',
    'recordIdMissing',
    'lengthInvalid',
    'targetMissing',
    'profileMissing',
  ],
  'invalid-warcfile-lonely-warcinfo-metadata.warc': ['dateMissing', 'recordIdMissing', 'lengthInvalid'],
  'invalid-warcfile-record-then-garbage.warc': ['noRecord'],
  'invalid-warcfile-segment-number-continuation.warc': ['segmentNumberInvalid'],
  'invalid-warcfile-segment-number-response.warc': ['segmentNumberInvalid'],
}

const jwatWarc = 'netarchivesuite+jwat/jwat-warc/src/test/resources/'
const jwatArc = 'netarchivesuite+jwat/jwat-arc/src/test/resources/'

describe.skipIf(!isHere)('the samples that JWAT made invalid (skipped without their inventory)', () => {
  test.each(Object.entries(jwat))('%s', async (file, expected) => {
    const found = (await tallyOf(jwatWarc + file)).rules().map(({ rule }) => rule)
    expect(found).toEqual(expect.arrayContaining(expected))
  })

  test.each<[string, RuleName[]]>([
    ['invalid-arcfile-record-then-garbage.arc', ['noRecord', 'arcVersionBlockMissing']],
    ['test-arc-1.0-dashed-fields.arc', ['arcDateInvalid', 'arcIpInvalid', 'arcMediaTypeOdd']],
    ['test-arc-1.0-invalid-fields.arc', ['arcDateInvalid', 'arcIpInvalid', 'arcMediaTypeOdd', 'arcLengthInvalid']],
  ])('%s', async (file, expected) => {
    const found = (await tallyOf(jwatArc + file)).rules().map(({ rule }) => rule)
    expect(found).toEqual(expect.arrayContaining(expected))
  })
})

interface Sample {
  local: string
  format?: string
}

const samples = isHere ? (JSON.parse(readFileSync(new URL('inventory.json', corpora), 'utf8')) as Sample[]) : []

const handDigests = 'edited by hand after its digests were computed; warcio reports the same'
const noAddresses = 'records without WARC-Target-URI'

/** Errors in samples, and why they are right; all others have none. Those that JWAT made invalid are above. */
const known: Record<string, { errors: RuleName[]; why: string }> = {
  'webrecorder+warcio/test/data/bad.arc': { errors: ['arcLengthInvalid'], why: 'made so: lengths -1, 0 and "abc"' },
  'webrecorder+warcio/test/data/example-bad-non-chunked.warc.gz': { errors: ['blockDigestWrong'], why: handDigests },
  'webrecorder+warcio/test/data/example-space-in-url.arc': {
    errors: ['recordTorn'],
    why: 'its length is 1591, and 1579 bytes are there',
  },
  'webrecorder+warcio/test/data/example-trunc.warc': {
    errors: ['blockDigestWrong', 'bytesAfterRecord', 'contentTorn', 'httpBodyTruncated', 'payloadDigestWrong'],
    why: 'deliberate: a Content-Length that is 2 bytes short',
  },
  'webrecorder+warcio/test/data/example-wrong-chunks.warc.gz': {
    errors: ['blockDigestWrong', 'httpBodyTruncated'],
    why: 'made so: one byte of the page is missing',
  },
  'webrecorder+cdxj-indexer/test/data/example.warc.gz': { errors: ['blockDigestWrong'], why: handDigests },
  'webrecorder+cdxj-indexer/test/data/missing-http.warc.gz': {
    errors: ['payloadDigestWrong'],
    why: 'the payload was left out and its digest not',
  },
  'webrecorder+warcio.js/test/data/example-bad-length.warc': {
    errors: ['blockDigestWrong', 'bytesAfterRecord', 'contentTorn', 'httpBodyTruncated', 'payloadDigestWrong'],
    why: 'deliberate: a Content-Length that is too small',
  },
  'webrecorder+py-wacz/tests/fixtures/invalid_example_1.wacz': {
    errors: ['waczArchiveMissing', 'waczResourceAbsent'],
    why: 'made so',
  },
  'harvard-lil+scoop/.github/assets/example.wacz': {
    errors: ['waczResourceHashWrong'],
    why: 'the archive in it is not the one of its manifest',
  },
  'iipc+webarchive-commons/src/test/resources/org/archive/resource/html/link-extraction-test.warc': {
    errors: ['httpBodyTruncated', 'targetMissing'],
    why: 'written by hand with wrong lengths',
  },
  'chatnoir-eu+chatnoir-resiliparse/tests/data/clipped.warc.gz': {
    errors: ['memberTorn', 'recordTorn'],
    why: 'made so',
  },
  'oduwsdl+ipwb/samples/warcs/HTTP204.warc': { errors: ['bytesAfterRecord', 'payloadDigestWrong'], why: handDigests },
  'oduwsdl+ipwb/samples/warcs/5mementosAndFroggie.warc': {
    errors: ['blockDigestWrong', 'payloadDigestWrong'],
    why: handDigests,
  },
  'oduwsdl+ipwb/samples/warcs/baconIpsum_chunked.warc': {
    errors: ['blockDigestWrong', 'payloadDigestWrong'],
    why: handDigests,
  },
  'oduwsdl+ipwb/samples/warcs/baconIpsum_chunked_httpTrailors.warc': {
    errors: ['blockDigestWrong', 'payloadDigestWrong'],
    why: handDigests,
  },
  'oduwsdl+ipwb/samples/warcs/broken.warc': {
    errors: ['bytesAfterRecord', 'responseWithoutHttp'],
    why: 'made so: a record ends within its status line',
  },
  'oduwsdl+ipwb/samples/warcs/redirect.warc': { errors: ['recordTorn'], why: '256 of 265 bytes are there' },
  'slyrz+warc/testdata/test.warc': { errors: ['targetMissing'], why: noAddresses },
  'slyrz+warc/testdata/test.warc.gz': { errors: ['targetMissing'], why: noAddresses },
  'N0taN3rd+node-warc/test/files/parseMe.warc': {
    errors: ['httpBodyTruncated'],
    why: 'the browser did not keep the page of a redirect',
  },
  'N0taN3rd+node-warc/test/files/parseMe.warc.gz': {
    errors: ['httpBodyTruncated'],
    why: 'the browser did not keep the page of a redirect',
  },
}
for (const name of [
  ...['1memento', '1memento_noContentType', '2mementos', '2mementos_htmlXhtml', '2mementos_queryString', '3mementos'],
  ...['4mementos', '5mementos', 'HTTP404', 'slash', 'variableSizedDates'],
])
  known[`oduwsdl+ipwb/samples/warcs/${name}.warc`] = { errors: ['payloadDigestWrong'], why: handDigests }

const isArchive = (sample: Sample): boolean => /^(WARC|ARC|ZIP)/.test(sample.format ?? '')
const isWrapped = (sample: Sample): boolean => /\.(bz2|lz4)$/.test(sample.local)

describe.skipIf(!isHere)('all samples (skipped without their inventory)', () => {
  const good = samples.filter(
    (sample) =>
      isArchive(sample) && !isWrapped(sample) && !/\binvalid-warc|jwat-arc.*(invalid|dashed)/.test(sample.local),
  )
  test.each(good.map(({ local }) => local))('%s has no errors but those that are known', async (local) => {
    const errors = (await tallyOf(local)).rules().filter(({ severity }) => severity === 'error')
    expect(errors.map(({ rule }) => rule).toSorted()).toEqual(known[local]?.errors ?? [])
  })

  const others = samples.filter((sample) => !isArchive(sample) || isWrapped(sample))
  test.each(others.map(({ local }) => local))('%s is not an archive file, which is reported once', async (local) => {
    const tally = await tallyOf(local)
    expect(tally.counts).toEqual({ errors: 1, warnings: 0, notes: 0 })
    expect(['notAnArchive', 'packageWrapped', 'fileEmpty']).toContain(tally.rules()[0]?.rule)
  })

  test('every sample with known errors is present', () => {
    const locals = new Set(good.map(({ local }) => local))
    expect(Object.keys(known).filter((local) => !locals.has(local))).toEqual([])
  })

  // Files written by well-behaved crawlers: no finding above a note.
  test.each([
    'netarchivesuite+jwat/jwat-warc/src/test/resources/IAH-20080430204825-00000-blackbook.warc.gz',
    'netarchivesuite+jwat/jwat-arc/src/test/resources/IAH-20080430204825-00000-blackbook.arc.gz',
    'netarchivesuite+jwat/jwat-arc/src/test/resources/1-1-20110922131213-00000-svc-VirtualBox.arc',
    'nla+outbackcdx/test-integration/test1.warc.gz',
    'commoncrawl+whirlwind-python/whirlwind.warc.gz',
    'webrecorder+warcio/test/data/example.warc.gz',
    'oduwsdl+ipwb/samples/warcs/sample-1.warc.gz',
    'chatnoir-eu+chatnoir-resiliparse/tests/data/warcfile.warc.gz',
    'webrecorder+py-wacz/tests/fixtures/valid_signed_example_1.wacz',
  ])('%s has no warnings or errors', async (local) => {
    const { errors, warnings } = (await tallyOf(local)).counts
    expect({ errors, warnings }).toEqual({ errors: 0, warnings: 0 })
  })
})
