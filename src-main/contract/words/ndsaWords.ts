/**
 * Conditions of the NDSA Levels of Digital Preservation (version 2.0, 2019): what each requires, and what to do (`.need`) when it is not met.
 */
export const ndsaWords = {
  'ndsa.twoCopies': 'Two complete copies in separate locations.',
  'ndsa.twoCopies.need': 'Keep every file in two replicas, and enter two different locations in the setting places.',
  'ndsa.mediaDocumented': 'The storage media of all content are documented.',
  'ndsa.mediaDocumented.need': 'Enter the location and medium of every replica in the setting places.',
  'ndsa.threeCopies': 'Three complete copies, at least one in a separate geographic location.',
  'ndsa.threeCopies.need':
    'Keep every file in three replicas, and enter a second location for one of them in the setting places.',
  'ndsa.threePlaces': 'Three complete copies in three geographic locations.',
  'ndsa.threePlaces.need':
    'Keep every file in three replicas, and enter three different locations in the setting places.',
  'ndsa.givenIntegrityVerified': 'Checksums that came with the content were verified.',
  'ndsa.givenIntegrityVerified.need':
    'Nothing to do: an import verifies the digests of every record and reports mismatches.',
  'ndsa.integrityGenerated': 'Checksums were generated where the content came without.',
  'ndsa.integrityGenerated.need': 'Nothing to do: the SHA-256 of every file is computed before it is stored.',
  'ndsa.movesVerified': 'Checksums are verified whenever content is moved or copied.',
  'ndsa.movesVerified.need': 'Nothing to do: every copy is read back and verified before it counts.',
  'ndsa.integrityElsewhere': 'The checksums are backed up in a location separate from the content.',
  'ndsa.fixedIntervals': 'Checksums are verified at fixed intervals.',
  'ndsa.fixedIntervals.need':
    'Set preservation.checksumsEveryDays to at most preservation.overdueDays, without a sample, and verify the copies that are overdue.',
  'ndsa.checksDocumented': 'The verification of checksums and its results are documented.',
  'ndsa.checksDocumented.need': 'Run a check, and verify the audit log ("loupe preserve audit --verify").',
  'ndsa.auditOnDemand': 'Checksums can be audited on demand.',
  'ndsa.auditOnDemand.need': 'Nothing to do: use "loupe preserve checksums" or "loupe preserve spot".',
  'ndsa.afterEvents': 'Checksums are verified in response to events.',
  'ndsa.afterEvents.need': 'Run a checksum check of every replica that had findings since its last one.',
  'ndsa.damageRepaired': 'Damaged content is replaced or repaired.',
  'ndsa.damageRepaired.need': 'Repair the copies that are missing or damaged.',
  'ndsa.inventory': 'An inventory of the content and its storage locations exists.',
  'ndsa.inventory.need': 'Nothing to do: the catalogue is this inventory.',
  'ndsa.inventoryElsewhere': 'The inventory is backed up, with at least one copy separate from the content.',
  'ndsa.contentKnown': 'Enough metadata is stored to know what the content is.',
  'ndsa.contentKnown.need': 'Some jobs have content files without a metadata file, or some files belong to no job.',
  'ndsa.actionsRecorded': 'Preservation actions are recorded with their time.',
  'ndsa.actionsRecorded.need': 'Verify the audit log ("loupe preserve audit --verify").',
  'ndsa.stableStorage': 'All content is in stable storage.',
  'ndsa.dependenciesDocumented': 'The dependencies of the storage systems and media are documented.',
  'ndsa.otherThreat': 'At least one copy is in a location with a different disaster threat.',
  'ndsa.otherMedia': 'At least one copy is on a different type of storage medium.',
  'ndsa.obsolescenceTracked': 'The obsolescence of storage and media is tracked.',
  'ndsa.threatsDiffer': 'Each of these locations has a different disaster threat.',
  'ndsa.noSingleFailure': 'Storage is diverse enough to avoid single points of failure.',
  'ndsa.obsolescencePlan': 'A plan for the obsolescence of hardware, software and media exists and is carried out.',
  'ndsa.virusChecked': 'All content is scanned for viruses, and isolated where needed.',
  'ndsa.writeBlockers': 'A write blocker is used with original media.',
  'ndsa.standardsChosen': 'The metadata standards to apply have been chosen.',
  'ndsa.gapsFilled': 'Gaps in the metadata are identified and filled to meet those standards.',
  'ndsa.standardsUsed': 'The chosen metadata standards are applied.',
  'ndsa.declare':
    'Loupe cannot check this. If it is met, declare it on the Report page or in the setting preservation.declared ("{id}").',
  'ndsa.backUpApart':
    'Set backup.folder to a drive that holds neither the archive nor a replica, and keep that drive connected. If it is backed up in another way, declare it on the Report page or in the setting preservation.declared ("{id}").',
} as const
