/** Help of `loupe preserve`. */
export const preserveHelpWords = {
  'help.preserve': 'check and repair the copies in the replicas',
  'help.preserve.status':
    'show the state of every replica, when its copies were last verified, and the verdicts where copies differ',
  'help.preserve.missing': 'check that every file exists with its length, and that there are no other files',
  'help.preserve.checksums': 'read every file and compare its checksum; run again, it continues where it stopped',
  'help.preserve.sample': 'only this many files, chosen at random',
  'help.preserve.spot': 'run a spot check: each replica must prove, with a random salt, that it still has some files',
  'help.preserve.spot.files': 'number of files, chosen at random (default: 10)',
  'help.preserve.affected':
    'show what would be lost with a file: its captures, their domains, and what other files also contain',
  'help.preserve.history': 'show the last checks, spot checks and repairs of every replica, with their findings',
  'help.preserve.file': 'show a file: the state of its copies, observations over time, attic and audit log',
  'help.preserve.report':
    'report the state of the archive, with the NDSA levels reached and the requirements for the next ones',
  'help.preserve.report.dest': 'new file, or the folder to write it to (default: standard output)',
  'help.preserve.report.format': 'a page to print, a table, or data (default: "html")',
  'help.preserve.audit': 'show the newest entries of the audit log',
  'help.preserve.audit.verify': 'verify the whole audit log: that no entry was changed or removed',
  'help.preserve.audit.limit': 'number of entries (default: 50, at most 1000)',
  'help.preserve.repair': 'restore missing copies and replace damaged ones from a good copy in another replica',
  'help.preserve.repair.replica': 'only copies in this replica',
  'help.preserve.repair.expected': 'checksum that the file should have, from your own records',
  'help.preserve.repair.checked': 'take the registered checksums as expected, and do not ask',
  'help.preserve.repair.unread': 'also replace copies that cannot be read: they are moved to the attic unverified',
  'help.preserve.repair.after': `
Missing copies are restored first, without asking. For each damaged copy, the conditions of a repair are shown, and you are
asked for the checksum that the file should have (one line of standard input; an empty line leaves the copy unchanged; at the
end of input, the repair is refused). A copy is replaced only if all conditions are met: another replica has a good copy, read
just now, with the checksum of the majority; this copy has not changed since it was found damaged; its checksum differs from
the registered one; the expected checksum is the registered one. The damaged copy is moved to the attic, never deleted.

Exits with 4 if a repair was refused, and with 1 if a repair could not be finished or a copy was left unchanged.`,
  'help.preserve.attic':
    'list copies that were taken out of service, with the reason, time and replica. Loupe never removes them',
  'help.preserve.attic.restore': 'store the content of an entry in every replica, under a free name',
  'help.preserve.attic.id': 'number of an entry',
  'help.preserve.attic.as': 'name of the file (default: the old name with the number of the entry in it)',
} as const
