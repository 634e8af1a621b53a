/** All text of the interface, in English, as ICU messages (https://unicode-org.github.io/icu/userguide/format_parse/messages/). A key
 *  begins with the place where the text is shown; places with much text have a file of their own in this folder. Text that comes with
 *  answers of the engine (faults, meanings of states and settings) is not here. */

import { jobWords } from './jobWords.ts'
import { importedWords } from './importedWords.ts'
import { harvestFormWords } from './harvestFormWords.ts'
import { settingsWords } from './settingsWords.ts'
import { archivedFileWords } from './archivedFileWords.ts'
import { archiveWords } from './archiveWords.ts'
import { auditWords } from './auditWords.ts'
import { backupWords } from './backupWords.ts'
import { batchWords } from './batchWords.ts'
import { connectorWords } from './connectorWords.ts'
import { outputWords } from './outputWords.ts'
import { deduplicationWords } from './deduplicationWords.ts'
import { growthWords } from './growthWords.ts'
import { accessWords } from './accessWords.ts'
import { accountWords } from './accountWords.ts'
import { linkWords } from './linkWords.ts'
import { domainWords } from './domainWords.ts'
import { harvestScheduleWords } from './harvestScheduleWords.ts'
import { harvestsWords } from './harvestsWords.ts'
import { historyWords } from './historyWords.ts'
import { hopsWords } from './hopsWords.ts'
import { liveWords } from './liveWords.ts'
import { loginWords } from './loginWords.ts'
import { missingWords } from './missingWords.ts'
import { verdictWords } from './verdictWords.ts'
import { pageAuditWords } from './pageAuditWords.ts'
import { quickOpenWords } from './quickOpenWords.ts'
import { shortcutWords } from './shortcutWords.ts'
import { planWords } from './planWords.ts'
import { repairWords } from './repairWords.ts'
import { recoveryWords } from './recoveryWords.ts'
import { reportWords } from './reportWords.ts'
import { editWords } from './editWords.ts'
import { recrawlWords } from './recrawlWords.ts'
import { scheduleWords } from './scheduleWords.ts'
import { searchWords } from './searchWords.ts'
import { selectionWords } from './selectionWords.ts'
import { statisticsWords } from './statisticsWords.ts'
import { systemWords } from './systemWords.ts'
import { taskPanelWords } from './taskPanelWords.ts'
import { templateWords } from './templateWords.ts'
import { viewerWords } from './viewerWords.ts'

export const en = {
  loading: 'Loading…',
  close: 'Close',
  skip: 'Skip to content',
  rail: 'Main navigation',
  'rail.jobs': 'Jobs',
  'rail.viewer': 'Viewer',
  'rail.archive': 'Archive',
  'rail.settings': 'Settings',
  'connection.lost': 'The connection to Loupe was lost. Reconnecting… The information shown may be out of date.',
  'engine.unreachable': 'Loupe cannot be reached ({call}). It may have been stopped: start it again.',
  'engine.foreignAnswer': 'The response is not from Loupe (status {status}). A proxy may be in between.',
  'engine.noValue': 'Loupe sent an incomplete response (status {status}).',
  'engine.noDownload': 'Loupe did not provide a URL for the download.',
  'confirm.no': 'Cancel',
  'remove.action': 'Remove…',
  'remove.verb': 'Remove',
  'remove.done': '{removed, plural, one {Removed.} other {# removed.}}',
  'remove.refused': '{count, plural, one {Could not be removed} other {# could not be removed}}',
  'unsaved.title': 'Discard changes?',
  'unsaved.text': 'Your changes have not been saved. If you leave now, they are lost.',
  'unsaved.verb': 'Discard',
  'unsaved.keep': 'Keep editing',
  'copy.what': 'Copy {what}',
  'copy.done': 'Copied',

  'fault.badInput': 'Invalid input',
  'fault.unknownCall': 'Not supported by this version of Loupe',
  'fault.notFound': 'Not found',
  'fault.refused': 'Not possible',
  'fault.notAllowed': 'Not allowed',
  'fault.passwordNeeded': 'Password needed',
  'fault.inUse': 'In use',
  'fault.damaged': 'Damaged data in the archive',
  'fault.noSpace': 'Not enough disk space',
  'fault.unreachable': 'Not reachable',
  'fault.stopped': 'Stopped',
  'fault.internal': 'Something went wrong',
  'fault.retry': 'Retry',

  'refused.none.title': 'Access token required',
  'refused.none.text':
    'Anyone who can open this page can harvest, read and change the archive. Loupe therefore issues an access token when it starts; this window was opened without one.',
  'refused.wrong.title': 'Access token expired',
  'refused.wrong.text':
    'Loupe was restarted after this window was opened and issued a new access token. Nothing is lost: running jobs continue.',
  'refused.todo':
    'Open the complete URL that Loupe printed when it started (it ends in #token=…), or run “loupe serve --open”, which opens a window for you.',

  'table.filter': 'Filter {label}',
  'table.filterHint': 'Filter…',
  'table.shown': '{shown, number} of {total, number}',
  'table.rows': '{total, plural, one {# row} other {# rows}}',
  'table.export': 'Save as CSV',
  'table.selected': 'Selected',
  'table.selected.yes': 'yes',
  'table.selectedRows': '{count, plural, one {# row selected} other {# rows selected}}',
  'table.selectAll': 'Select all rows',
  'table.none': 'No rows match. Clear or change the filters.',
  'task.bytesDone': '{done} of {total}',
  'task.copiesDone': '{done} of {total} copies',
  'task.pagesDone': '{done} of {total} pages',
  'task.filesDone': '{done} of {total} files',
  'task.left': '{time} left',
  'task.nothing': 'Nothing to check.',

  'start.title': 'Preserve web sites as they were',
  'start.text':
    'Loupe harvests web sites into standard WARC files, keeps them in several replicas and checks their integrity. It replays captures in a browser exactly as the server sent them, and shows what is missing.',
  'start.harvest': 'Harvest a site',
  'start.harvest.text': 'Enter one or more URLs. Loupe captures the pages and the resources that they need.',
  'start.harvest.verb': 'New harvest',
  'start.import': 'Import files',
  'start.import.text': 'Add WARC, ARC, WACZ or HAR files made by other tools. The originals are not changed.',
  'start.import.verb': 'Import files',
  'start.sample': 'Try a sample',
  'start.sample.text': 'A small harvest included with Loupe, with one image left out on purpose.',
  'start.sample.verb': 'Open sample',
  'start.sample.opening': 'Importing the sample…',

  'import.title': 'Import files',
  'import.text':
    'Loupe copies the files into the archive, validates them and stores them in every replica. The originals are not changed.',
  'import.drop': 'Drop files or folders here',
  'import.dropAnywhere': 'Drop to import',
  'import.kinds':
    'WARC, ARC, WACZ and HAR, uncompressed or compressed with gzip or Zstandard. The format is detected automatically.',
  'import.choose': 'Choose files…',
  'import.chooseFolder': 'Choose folder…',
  'import.gathered': 'Files to import',
  'import.remove': 'Remove {name}',
  'import.skipped':
    '{count, plural, one {# other file in these folders is} other {# other files in these folders are}} skipped: not an archive file by name.',
  'import.problem.empty': 'Empty file',
  'import.problem.sameName': 'Same name as another file',
  'import.unreadable': 'The dropped items could not be read',
  'import.paths': 'Paths',
  'import.paths.hint': 'One per line, instead of dropping files. Folders are searched for archive files.',
  'import.paths.hint.browser':
    'Paths on the server, one per line. Best for large files and folders, because nothing is uploaded.',
  'import.start': 'Import',
  'import.none': 'Drop or choose files, or enter a path.',
  'import.running': 'Starting the import…',
  'import.going': '{count, plural, one {# file or folder} other {# files or folders}}',
  'import.going.size': '{count, plural, one {# file} other {# files}}, {size}',
  'import.sending': 'Uploading',
  'import.sending.now': 'Uploading {name}',
  'import.sending.show': 'Show',
  'import.stop': 'Stop',
  'import.begun': 'Import started as job {job}.',

  'severity.error': 'Error',
  'severity.warning': 'Warning',
  'severity.note': 'Info',

  'export.title': 'Export',
  'export.jobs.hint': 'Finished jobs, including deleted ones. Their records are combined in one new file.',
  'export.format': 'Format',
  'export.format.wacz': 'WACZ',
  'export.format.wacz.meaning': 'One file with records, index and page list, for ReplayWeb.page and other players.',
  'export.format.warc': 'WARC',
  'export.format.warc.meaning': 'The records unchanged, each in its own gzip member, for any web archiving tool.',
  'export.format.csv': 'CSV',
  'export.format.csv.meaning': 'One row per capture, for a spreadsheet or script. No content.',
  'export.format.cdx': 'CDX',
  'export.format.cdx.meaning': 'Sorted index lines with 11 columns, for OpenWayback and NetarchiveSuite. No content.',
  'export.format.cdxj': 'CDXJ',
  'export.format.cdxj.meaning': 'Sorted index lines, for pywb and OutbackCDX. No content.',
  'export.matching.needs':
    'Exports the {what}, with the images, style sheets, scripts and frames of their pages, and the originals of revisits.',
  'export.more': 'Filters and options',
  'export.url': 'Only URLs that begin with',
  'export.url.hint': 'Optional. Empty: all URLs.',
  'export.from': 'Captured from (UTC)',
  'export.to': 'Captured until (UTC)',
  'export.withOriginals': 'Include the originals of revisits',
  'export.withOriginals.hint': 'Adds originals outside the selection; without them, these pages cannot be replayed.',
  'export.waczVersion': 'WACZ version',
  'export.sign': 'Sign the file',
  'export.sign.hint': 'With the signing key of this archive.',
  'export.path': 'Output file',
  'export.path.hint': 'A path on the computer that runs Loupe. Existing files are never overwritten.',
  'export.choose': 'Choose…',
  'export.start': 'Export',
  'export.starting': 'The export is being started.',
  'export.problem.nothing': 'Select a job or a file.',
  'export.problem.noPath': 'Enter a path for the output file.',
  'export.problem.toBeforeFrom': 'The end must be after the start.',
  'export.name': 'Export {number}: {what}',
  'export.done': 'Verified: {records, plural, one {# record matches} other {# records match}} the archive ({size}).',
  'export.done.csv': 'Verified: {records, plural, one {# row matches} other {# rows match}} the archive ({size}).',
  'export.take.folder': 'Show in folder',
  'export.take.download': 'Download',
  'exports.title': 'Exports',

  menu: 'Menu',
  'menu.file': 'File',
  'menu.harvest': 'New harvest…',
  'menu.harvest.key': 'Alt+N',
  'menu.import': 'Import…',
  'menu.import.key': 'Ctrl+I',
  'menu.export': 'Export…',
  'menu.export.key': 'Ctrl+E',
  'menu.archive': 'Archive',
  'menu.checkMissing': 'Check for missing files',
  'menu.checkChecksums': 'Check all checksums',
  'menu.spotCheck': 'Spot check…',
  'menu.repair': 'Repair…',
  'menu.attic': 'Attic',
  'menu.report': 'Preservation report',
  'menu.audit': 'Audit log',

  'record.all': '← Copies and checks of this file',
  'record.fileName': 'file name',
  'record.list': 'Records',
  'record.splitter': 'Resize record list and record',
  'record.none': 'No record here',
  'record.none.text': 'No record could be read from this file.',
  'record.none.type': 'This file has no {type} records.',
  'record.number': 'Record',
  'record.offset': 'Offset',
  'record.at': '{file} at {offset}',
  'record.row': '{number} · at {offset} · {size}',
  'record.noType': '(no type)',
  'record.noUrl': '(no URL)',
  'record.findings': '{count, plural, one {# finding} other {# findings}}',
  'record.earlier': 'Earlier records',
  'record.notListed': 'The record shown is not in this list: it is of another type, or further down.',
  'record.end': '{count, plural, one {# record} other {# records}}, end of file',
  'record.previous': 'Previous record',
  'record.previous.why': 'This is the first record of the list.',
  'record.next': 'Next record',
  'record.next.why': 'This is the last record of the list.',
  'record.type': 'Record type',
  'record.type.all': 'All types',
  'record.type.clear': 'Show all types',
  'record.jump': 'Go to offset',
  'record.jump.verb': 'Go',
  'record.fine': 'No problems found in this record',
  'record.findings.title': 'Problems in this record',
  'record.where': 'Location',
  'record.length': 'Bytes in the file',
  'record.length.shared': 'shares a gzip member with other records',
  'record.block': 'Block',
  'record.payload': 'Payload',
  'record.payload.cut': 'more than {size}',
  'record.format': 'Format',
  'record.noReplica': 'none yet',
  'record.digests': 'Digests',
  'record.digests.none': 'The record header has no digest, so there is nothing to verify.',
  'record.digest.of': 'Digest of',
  'record.digest.of.block': 'Block',
  'record.digest.of.payload': 'Payload',
  'record.digest.verdict': 'Verdict',
  'record.digest.named': 'In the header',
  'record.digest.computed': 'Computed now',
  'digest.right': 'Match',
  'digest.right.meaning': 'The content matches the digest in the header.',
  'digest.rightWithChunks': 'Match with chunked encoding',
  'digest.rightWithChunks.meaning':
    'The digest matches when the chunked transfer encoding is included, as the tool that wrote the record did.',
  'digest.rightOfBlock': 'Match for the whole block',
  'digest.rightOfBlock.meaning':
    'The payload digest is in fact the digest of the whole block with its HTTP header, as some older tools write it.',
  'digest.wrong': 'Mismatch',
  'digest.wrong.meaning': 'The content does not match the digest in the header.',
  'digest.unknown': 'Not verifiable',
  'digest.unknown.meaning': 'The digest uses an unknown form, or the content that it belongs to is not in this record.',
  'record.header.warc': 'WARC header',
  'record.header.arc': 'ARC header',
  'record.header.http': 'HTTP header',
  'record.header.none': 'No fields.',
  'payload.none': 'No payload',
  'payload.none.text': 'This record has no content after its headers.',
  'payload.cut': 'Showing the first {size}. The file contains the complete content.',
  'payload.text': 'Text',
  'payload.hex': 'Hex',
  'payload.hex.first': 'Showing {shown} of {total}.',
  'payload.image': 'Image',
  'payload.image.of': 'Archived image {url}',
  'payload.image.unused':
    'Images are shown through Loupe’s replay proxy, and this browser does not use it. Text and hex are available. To see images, let Loupe open its own window: loupe --archive "{archive}" serve --open',

  'unit.of': 'Unit of “{field}”',
  'unit.seconds': 'seconds',
  'unit.minutes': 'minutes',
  'unit.hours': 'hours',

  'jobs.title': 'Jobs',
  'jobs.new': 'New harvest',
  'jobs.import': 'Import files',
  'jobs.export': 'Export',
  'jobs.export.chosen': 'Export {count, plural, one {# job} other {# jobs}}',
  'jobs.choose': 'Select job {job}: {name}',
  'jobs.number': 'Job',
  'jobs.state': 'State',
  'jobs.name': 'Name',
  'jobs.documents': 'Done / in scope',
  'jobs.findings': 'Findings',
  'jobs.received': 'Received',
  'jobs.failed': 'Failed',
  'jobs.bytes': 'Size',
  'jobs.rate': 'Rate',
  'jobs.started': 'Started (UTC)',
  'jobs.duration': 'Duration',

  'findings.counts':
    '{errors, plural, one {# error} other {# errors}}, {warnings, plural, one {# warning} other {# warnings}}, {notes, number} info',
  'definition.what': 'Scope and content',
  'definition.how': 'Politeness',
  'definition.yes': 'yes',
  'definition.line': '{name}: {value}',
  'definition.domains': 'Crawler traps',
  'definition.throttle.fetches': '{count, plural, one {# request} other {# requests}} per minute',
  'definition.throttle.connections': '{count, plural, one {# connection} other {# connections}}',
  'definition.throttle.bytes': '{bytes} per second',
  'definition.rest': 'Everything else uses the defaults from Settings.',

  'hop.L': 'link',
  'hop.E': 'embed',
  'hop.R': 'redirect',
  'hop.M': 'sitemap',
  'hop.P': 'prerequisite',

  'capture.none': 'No capture of this URL',
  'capture.none.text': 'The files of this job contain no record of {url}.',
  'capture.toJob': 'Open job {job}',

  ...accessWords,
  ...accountWords,
  ...jobWords,
  ...importedWords,
  ...harvestFormWords,
  ...settingsWords,
  ...archivedFileWords,
  ...archiveWords,
  ...auditWords,
  ...backupWords,
  ...batchWords,
  ...connectorWords,
  ...outputWords,
  ...deduplicationWords,
  ...growthWords,
  ...linkWords,
  ...domainWords,
  ...harvestScheduleWords,
  ...harvestsWords,
  ...historyWords,
  ...hopsWords,
  ...liveWords,
  ...loginWords,
  ...missingWords,
  ...pageAuditWords,
  ...verdictWords,
  ...quickOpenWords,
  ...shortcutWords,
  ...recoveryWords,
  ...reportWords,
  ...planWords,
  ...repairWords,
  ...editWords,
  ...recrawlWords,
  ...scheduleWords,
  ...searchWords,
  ...selectionWords,
  ...statisticsWords,
  ...systemWords,
  ...taskPanelWords,
  ...templateWords,
  ...viewerWords,
} as const

export type WordId = keyof typeof en
