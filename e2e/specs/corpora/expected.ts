/** The expected results for the archives of `testing/corpora.ts` that hold pages, one row per file, and the archives that are
 *  refused. The numbers come from one visit of at most six pages per archive with Chromium 156 and are lower bounds: on a slow
 *  machine the timers of pages have more time to send requests. */
import type { Counts } from './truth.ts'

/** Addresses with the reason of their deviation. */
interface Odd {
  urls: readonly string[]
  why: string
}

interface ArchiveShown {
  archive: string
  least: Counts
  /** Archived completely, but not shown on the page. */
  notShown?: Odd
  /** Answered with the capture of another address, by a fuzzy rule. */
  inexact?: Odd
  /** Captured, but not readable. */
  unreadable?: Odd
}

type Row = readonly [documents: number, images: number, styles: number, missing: number]

const folders: Record<string, Record<string, Row>> = {
  'webrecorder+warcio/test/data': {
    'example-bad-non-chunked.warc.gz': [1, 0, 0, 0],
    'example-iana.org-chunked.warc': [1, 0, 0, 6],
    'example-space-in-url.arc': [1, 0, 0, 0],
    'example-trunc.warc': [1, 0, 0, 0],
    'example-wget-bad-target-uri.warc.gz': [1, 0, 0, 0],
    'example-wrong-chunks.warc.gz': [1, 0, 0, 0],
    'example.arc': [1, 0, 0, 0],
    'example.arc.gz': [1, 0, 0, 0],
    'example.warc': [1, 0, 0, 0],
    'example.warc.gz': [1, 0, 0, 0],
  },
  'webrecorder+cdxj-indexer/test/data': {
    'cc.warc.gz': [1, 0, 0, 28],
  },
  'webrecorder+warcio.js/test/data': {
    'example-bad-length.warc': [1, 0, 0, 0],
    'example.warc': [1, 0, 0, 0],
  },
  'webrecorder+py-wacz/tests/fixtures': {
    'example-collection-with-lists.warc': [6, 6, 10, 1],
    'example-collection.warc': [1, 0, 0, 0],
    'example-iana.warc': [6, 6, 10, 0],
    'example-warcinfo-metadata.warc': [1, 0, 0, 0],
    'valid_example_1.wacz': [1, 0, 0, 0],
    'valid_example_2.wacz': [1, 0, 0, 0],
    'valid_signed_example_1.wacz': [1, 0, 0, 0],
  },
  'iipc+jwarc/test-resources/org/netpreserve/jwarc': {
    'cc.warc.gz': [1, 0, 0, 28],
  },
  'netarchivesuite+jwat/jwat-arc/src/test/resources': {
    '1-1-20110922131213-00000-svc-VirtualBox.arc': [7, 17, 0, 4],
    'IAH-20080430204825-00000-blackbook.arc.gz': [6, 67, 7, 6],
    'invalid-arcfile-record-then-garbage.arc': [1, 0, 0, 1],
    'small_BNF.arc': [3, 0, 0, 14],
    'test-arc-1.0-dashed-fields.arc': [1, 0, 0, 5],
    'test-arc-1.0-invalid-fields.arc': [1, 0, 0, 5],
  },
  'netarchivesuite+jwat/jwat-warc/src/test/resources': {
    'IAH-20080430204825-00000-blackbook.warc.gz': [6, 67, 7, 6],
    'invalid-warcfile-digest-fields.warc': [1, 0, 0, 2],
    'invalid-warcfile-encoding-headers.warc.gz': [2, 0, 0, 8],
    'invalid-warcfile-segment-number-response.warc': [1, 0, 0, 2],
  },
  'iipc+webarchive-commons/src/test/resources/org/archive/format/arc': {
    'IAH-20080430204825-00000-blackbook-truncated.arc': [2, 58, 0, 17],
  },
  'iipc+webarchive-commons/src/test/resources/org/archive/format/gzip': {
    'IAH-urls-wget.warc.gz': [1, 15, 0, 14],
  },
  'iipc+webarchive-commons/src/test/resources/org/archive/format/warc': {
    'IAH-urls-wget.warc': [1, 15, 0, 13],
    'mutliple-headers.warc': [1, 0, 0, 0],
  },
  'iipc+webarchive-commons/src/test/resources/org/archive/resource/html': {
    'link-extraction-test.warc': [6, 0, 0, 10],
  },
  'chatnoir-eu+chatnoir-resiliparse/tests/data': {
    'clipped.warc.gz': [1, 0, 0, 0],
    'clueweb-quirk.warc.gz': [6, 0, 0, 0],
    'warcfile.warc': [7, 0, 0, 117],
    'warcfile.warc.gz': [7, 0, 0, 117],
  },
  'nla+outbackcdx/test-integration': {
    'test1.warc.gz': [1, 0, 0, 1],
    'test2.warc.gz': [1, 0, 0, 1],
  },
  'oduwsdl+ipwb/samples/warcs': {
    '1memento.warc': [3, 0, 0, 0],
    '2mementos.warc': [3, 0, 0, 0],
    '2mementos_htmlXhtml.warc': [2, 0, 0, 0],
    '2mementos_queryString.warc': [2, 0, 0, 0],
    '3mementos.warc': [3, 0, 0, 0],
    '4mementos.warc': [3, 0, 0, 0],
    '5mementos.warc': [3, 0, 0, 0],
    '5mementosAndFroggie.warc': [3, 0, 0, 0],
    'HTTP204.warc': [1, 0, 0, 0],
    'baconIpsum.warc.gz': [1, 0, 0, 0],
    'baconIpsum_chunked.warc': [1, 0, 0, 0],
    'baconIpsum_chunked_httpTrailors.warc': [1, 0, 0, 0],
    'broken.warc': [1, 0, 0, 0],
    'frogTest.warc': [1, 1, 0, 0],
    'froggie.warc.gz': [1, 1, 0, 0],
    'mkelly1.warc': [1, 0, 0, 4],
    'mkelly2.warc': [1, 0, 0, 4],
    'salam-home.warc': [1, 0, 0, 0],
    'sample-1.warc.gz': [7, 0, 0, 328],
    'slash.warc': [1, 0, 0, 0],
    'variableSizedDates.warc': [1, 0, 0, 0],
  },
  'N0taN3rd+node-warc/test/files': {
    'parseMe.warc': [1, 1, 0, 0],
    'parseMe.warc.gz': [1, 1, 0, 0],
  },
  'harvard-lil+scoop/.github/assets': {
    'example.wacz': [1, 7, 1, 1],
  },
  'harvard-lil+scoop/assets/fixtures': {
    'example.com.wacz': [1, 0, 0, 0],
  },
  'commoncrawl+whirlwind-python': {
    'whirlwind.warc': [1, 0, 0, 14],
    'whirlwind.warc.gz': [1, 0, 0, 13],
  },
}

const odd: Record<string, Omit<ArchiveShown, 'archive' | 'least'>> = {
  'netarchivesuite+jwat/jwat-arc/src/test/resources/IAH-20080430204825-00000-blackbook.arc.gz': {
    inexact: {
      urls: ['http://www.archive.org/images/lma.jpg'],
      why: 'it was archived with another number in its query',
    },
  },
  'netarchivesuite+jwat/jwat-warc/src/test/resources/IAH-20080430204825-00000-blackbook.warc.gz': {
    inexact: {
      urls: ['http://www.archive.org/images/lma.jpg'],
      why: 'it was archived with another number in its query',
    },
  },
  'chatnoir-eu+chatnoir-resiliparse/tests/data/clipped.warc.gz': {
    unreadable: {
      urls: [
        'http://www.houstonpress.com/music/a-humble-chance-the-rapper-leads-a-spiritual-awakening-at-revention-8866723',
      ],
      why: 'the file ends within its only record, as it was made to',
    },
  },
  'oduwsdl+ipwb/samples/warcs/broken.warc': {
    notShown: {
      urls: ['http://matkelly.com/froggies/frog.png'],
      why: 'the record ends within its status line, as it was made to',
    },
    unreadable: {
      urls: ['http://matkelly.com/froggies/frog.png'],
      why: 'the record ends within its status line, as it was made to',
    },
  },
  ...Object.fromEntries(
    ['parseMe.warc', 'parseMe.warc.gz'].map((name) => [
      `N0taN3rd+node-warc/test/files/${name}`,
      {
        inexact: {
          urls: ['https://www.google-analytics.com/r/__utm.gif'],
          why: 'its script puts data of each visit into the query',
        },
      },
    ]),
  ),
}

/** The archives that hold pages, with the expected numbers and deviations. */
export const archivesShown: ArchiveShown[] = Object.entries(folders).flatMap(([folder, files]) =>
  Object.entries(files).map(([file, [documents, images, styles, missing]]) => {
    const archive = `${folder}/${file}`
    return { archive, least: { documents, images, styles, missing }, ...odd[archive] }
  }),
)

/** Archives in a compression that Loupe does not read, with the word for it in the error message. */
export const archivesRefused: Readonly<Record<string, string>> = {
  'chatnoir-eu+chatnoir-resiliparse/tests/data/block-sized-records.warc.lz4': 'lz4',
  'chatnoir-eu+chatnoir-resiliparse/tests/data/warcfile.warc.lz4': 'lz4',
  'slyrz+warc/testdata/bench.warc.bz2': 'bzip2',
  'slyrz+warc/testdata/test.warc.bz2': 'bzip2',
}
