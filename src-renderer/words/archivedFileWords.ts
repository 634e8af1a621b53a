/** What is said of one file of the archive, of the list of files, and of files that nobody told Loupe of. */

export const archivedFileWords = {
  'table.rows.cut':
    'The first {total, number} of more rows than can be listed. Narrow the list down further to see the others.',
  'file.records.of': 'Records of {name}',

  fileFilter: 'Narrow the list of files down',
  'fileFilter.job': 'Job',
  'fileFilter.state': 'State of a copy',
  'fileFilter.state.all': 'Any state',
  'fileFilter.state.clear': 'Any state of a copy',
  'fileFilter.state.missing': 'Missing',
  'fileFilter.state.corrupt': 'Damaged: changed or unreadable',
  'fileFilter.state.neverChecked': 'Never checked',
  'fileFilter.state.overdue': 'Overdue for a comparison',
  'fileFilter.state.notStored': 'Not stored',
  'fileFilter.state.stored': 'Stored',
  'fileFilter.replica': 'Replica of the copy',
  'fileFilter.replica.any': 'In any replica',
  'fileFilter.replica.clear': 'In any replica',
  'fileFilter.replica.in': 'In {name}',
  'fileFilter.clear': 'Show all files',
  'fileFilter.none.missing': 'As far as the checks have looked, every copy is there.',
  'fileFilter.none.corrupt': 'As far as the checks have looked, every copy is as it was stored.',
  'fileFilter.none.neverChecked': 'Every copy was looked at since it was stored.',
  'fileFilter.none.overdue': 'Every copy was compared recently enough, by a check or when it was stored.',
  'fileFilter.none.notStored': 'Every file is stored in every replica.',
  'fileFilter.none.stored': 'No file is stored there yet.',

  'surplus.title': 'Files that the archive does not know',
  'surplus.text':
    '{files, plural, one {One file lies in a replica’s folder} other {# files lie in the replicas’ folders}}, seen by the last check for missing files, and nobody told Loupe of {files, plural, one {it} other {them}}. Loupe never removes or uses such a file. If it belongs to the archive, move it out of the folder and import or upload it; if not, move it away. The next check for missing files looks again.',
  'surplus.path': 'Where it lies',
  'surplus.at': 'Seen (UTC)',

  'archivedFile.all': '← All files',
  'archivedFile.toList': 'To the list of all files',
  'archivedFile.unknown': 'There is no such file in the archive',
  'archivedFile.unknown.text':
    'Nothing is kept under the name {name}. The address may be mistyped, or its job has not ended yet: a file appears when it is stored.',
  'archivedFile.records': 'Show its records',
  'archivedFile.noJob': 'None: it was uploaded',
  'archivedFile.job': 'Job {job}',
  'archivedFile.bytes': '{bytes, number} bytes',
  'archivedFile.notInAll': 'Not in all replicas',
  'archivedFile.registered': 'Registered SHA-256',

  'archivedFile.standing.lost': 'Lost: no replica has a good copy',
  'archivedFile.standing.lost.text':
    'Every copy that was stored is missing or damaged, as far as the checks have looked.',
  'archivedFile.standing.harmed': 'Needs attention',
  'archivedFile.standing.harmed.text': 'A copy is missing, has changed, or was never stored whole.',
  'archivedFile.standing.incomplete': 'Not in all replicas',
  'archivedFile.standing.incomplete.text': 'A replica does not hold it, or not yet.',
  'archivedFile.standing.unchecked': 'Not all compared',
  'archivedFile.standing.unchecked.text':
    'Nothing is known to be wrong, but not every copy was read and compared since it was stored.',
  'archivedFile.standing.sound': 'Sound',
  'archivedFile.standing.sound.text': 'Every copy was read and is what was stored.',

  'archivedFile.check': 'Check this file now',
  'archivedFile.check.one': 'Check now',
  'archivedFile.check.of': 'Check the copy in {replica} now',
  'archivedFile.check.why.notStored': 'This replica holds no copy that could be read.',
  'archivedFile.checking': 'Reading the copies in {replicas}',
  'archivedFile.checked':
    '{findings, plural, =0 {{copies, plural, one {The copy in {replicas} was read: it is} other {# copies were read: all are}} what was stored.} one {{copies, plural, one {The copy in {replicas} is} other {Of # copies one is}} not what was stored, or not there.} other {Of {copies} copies {findings, number} are not what was stored, or not there.}}',
  'archivedFile.checkedSome':
    'The check ended before it was through: {copies, number} of {total, number} copies were looked at.',

  'archivedFile.copies': 'Copies',
  'archivedFile.votes':
    '({votes, number} votes for one checksum, of which {needed, number} are needed; the catalogue has one, and each replica.)',
  'archivedFile.upload': 'Storing',
  'archivedFile.verdict': 'Vote on it',
  'archivedFile.looked': 'Last looked at (UTC)',
  'archivedFile.compared': 'Last compared (UTC)',
  'archivedFile.never': 'Never stored here',
  'archivedFile.never.text': 'This replica was never given the file, or it was added to the settings later.',
  'archivedFile.unreachable':
    'This replica cannot be read now: is its drive connected? What is shown is what was last seen; nothing is lost by that.',
  'archivedFile.noReplica':
    'This replica is no longer in the settings, so Loupe does not look after this copy any more.',
  'archivedFile.repair': 'Repair…',
  'archivedFile.repair.of': 'Repair the copy in {replica}',

  'sightings.title': 'Checksums over time',
  'sightings.text':
    'What was seen of each copy, newest first. Looks that showed the same are one row; in the strip the oldest is left.',
  'sightings.none': 'No copy was ever stored whole, so nothing was seen yet.',
  'sightings.of': 'What was seen in {replica}',
  'sightings.seen': 'Seen',
  'sightings.seen.stored': 'Stored',
  'sightings.seen.right': 'Right',
  'sightings.seen.present': 'There, not read',
  'sightings.seen.missing': 'Missing',
  'sightings.seen.wrongLength': 'Wrong length',
  'sightings.seen.wrongChecksum': 'Wrong checksum',
  'sightings.seen.unreadable': 'Unreadable',
  'sightings.checksum': 'SHA-256',
  'sightings.first': 'First (UTC)',
  'sightings.last': 'Last (UTC)',
  'sightings.times': 'Times',
  'sightings.registered': 'as registered',
  'sightings.different': 'differs',
  'sightings.length': 'not read; {size} long',
  'sightings.nothing': 'nothing there',
  'sightings.notRead': 'not read',

  'affected.title': 'What would be lost with it',
  'affected.metadata':
    'It tells about a job and holds no captures: no archived page would be lost, but how the job went would be.',
  'affected.ask.text':
    'Loupe can look into the indexes for the captures in this file, and whether their payloads are in other files too.',
  'affected.ask': 'Find out',
  'affected.loading': 'Looking into the indexes; that may take up to half a minute.',
  'affected.noIndex':
    'Nobody can say: no index has the captures of this file, and no copy of it can be read to make one.',
  'affected.none': 'It holds no capture: no archived page would be lost.',
  'affected.least': 'Not everything could be looked into: these numbers are the least',
  'affected.least.text':
    '{read, number} of {total, number} other files were looked into. More payloads may be found in the others.',
  'affected.sentence':
    '{captures, plural, one {One capture} other {# captures}} of {domains, plural, one {one domain} other {# domains}}.',
  'affected.sentence.least':
    'At least {captures, plural, one {one capture} other {# captures}} of {domains, plural, one {one domain} other {# domains}}.',
  'affected.nothingAlone': 'Every payload of them is in another file too.',
  'affected.alone':
    '{alone, plural, one {One payload is} other {# payloads are}} nowhere else in the archive and would be lost.',
  'affected.alone.most':
    'At most {alone, plural, one {one payload is} other {# payloads are}} nowhere else in the archive.',
  'affected.captures': 'Captures',
  'affected.withPayload': 'With a payload of their own',
  'affected.elsewhere': 'Same payload elsewhere',
  'affected.others': 'Other files looked into',
  'affected.othersRead': '{read, number} of {total, number}',
  'affected.domains': 'Domains in this file',
  'affected.domain': 'Domain',
  'affected.moreDomains': 'And {more, plural, one {one more domain} other {# more domains}} with fewer captures.',

  'archivedFile.attic': 'In the attic',
  'archivedFile.toAttic': 'To the attic',
  'archivedFile.attic.none': 'No copy of it was ever taken out of service.',
  'archivedFile.attic.entry': 'Entry {id}: taken out of {replica}, {at} UTC.',
  'archivedFile.attic.where': 'Where the bytes lie',
  'archivedFile.attic.beside': 'Put beside as',
  'archivedFile.audit': 'What was done about it',
  'archivedFile.toAudit': 'To the audit trail',
  'archivedFile.audit.none': 'The audit trail has no entry about it.',
  'archivedFile.audit.after': 'How it was then',
  'archivedFile.audit.newest': 'The newest {count, number} entries; the audit trail has all.',
} as const
