/** The meaning of each setting, under its path in `loupe.toml`, and the reasons why a value is refused. */
export const settingWords = {
  'setting.replicas':
    'Replicas of this archive: a name and a folder each, relative to the archive folder or absolute, or a module that keeps the files elsewhere (.mjs). Every file is stored in every replica.',
  'setting.replicaSettings':
    'Settings of the modules that keep replicas instead of folders: NAME.SETTING, with the name of the replica.',
  'setting.checksumReplicas':
    'Checksum replicas: a name and a folder each. They keep only the checksum of every file, in a small text file, and decide which of two copies that differ is right.',
  'setting.harvest.workers': 'Number of URLs fetched at the same time, over all hosts.',
  'setting.harvest.delayMs': 'Minimum delay between two requests to one host.',
  'setting.harvest.delayFactor':
    'Waits this many times the last response time before the next request to a host, if that is longer. 0: fixed delay only.',
  'setting.harvest.delayMsMax': 'Longest delay that the factor may cause.',
  'setting.harvest.connectionsPerHost': 'Number of requests to one host at the same time.',
  'setting.harvest.userAgent': 'User agent sent to servers. Its product name is also the name looked up in robots.txt.',
  'setting.harvest.connectMsMax': 'Time limit for opening a connection.',
  'setting.harvest.silenceMsMax': 'A request times out when the server sends nothing for this long.',
  'setting.harvest.responseMsMax': 'Time limit for one response. What arrived by then is kept and marked as truncated.',
  'setting.harvest.responseBytesMax':
    'Size limit of one response. The rest is cut off, and the capture is marked as truncated.',
  'setting.harvest.attemptsMax': 'Number of attempts before a URL counts as failed.',
  'setting.harvest.retryDelayMs': 'Delay before the second attempt. It doubles with each further attempt.',
  'setting.harvest.fileBytesMax': 'A WARC file is closed when it reaches this size.',
  'setting.harvest.warcVersion': 'WARC version of new files. Choose 1.0 for tools that cannot read 1.1.',
  'setting.harvest.revisitRecords':
    'Records of a capture that did not change. "alone": a revisit record; crawl.log says how the URL was found and how long it took. "complete": also its request and metadata, which take half as much space again as the revisit needs.',
  'setting.harvest.metadataCompression':
    'Compression of new metadata WARC files, which hold the reports, logs and index lines of a job. "none": <job>-metadata-1.warc, which every text tool reads. "gzip": <job>-metadata-1.warc.gz, a tenth as large.',
  'setting.harvest.deduplicationIndex':
    'Where harvests look up what earlier jobs have captured: "archive" for the indexes of this archive, "none" to store everything again, or the path of your own module (.mjs).',
  'setting.harvest.deduplicationIndexSettings': 'Settings that the module of the deduplication index receives.',
  'setting.harvest.payloadDigest':
    'Bytes of a chunked response that WARC-Payload-Digest covers. "standard": the body without chunk framing, as WARC 1.1 defines the payload. "asStored": the body with its chunk framing, which Python\'s "warcio check" compares.',
  'setting.harvest.freeBytesMin': 'Harvesting pauses when the disk of the archive has less free space than this.',
  'setting.harvest.memoryBytesMax':
    'Memory limit while harvesting, for any queue length and any number of jobs. With more memory, Loupe reads from disk less often. Finishing a run takes about 100 MB more.',
  'setting.harvest.historyDays': 'Keep crawl history for reports for this many days.',
  'setting.authorities.workers':
    'Number of authorities asked at the same time, over all requests. One authority never has more than half of them.',
  'setting.authorities.mappingWorkers':
    'Number of mappings of user names asked at the same time, over all requests. One mapping never has more than half of them.',
  'setting.authorities.hiddenCaptures':
    'How the viewer answers for a capture that the account may not see: absent (as if it had not been captured) or restricted (it says so).',
  'setting.accounts.idleMinutesMax': 'A session of an account ends after this time without a request.',
  'setting.accounts.sessionHoursMax': 'A session of an account ends after this time in any case.',
  'setting.accounts.confirmedMinutesMax':
    'Before an account replaces a copy it gives its password again, which then counts for this time.',
  'setting.generation.channels':
    'Queue of submitted jobs: memory, or the path of a JavaScript module of your own that connects to a broker.',
  'setting.generation.channelsSettings': 'Settings that the module of the queue receives.',
  'setting.generation.jobsAtOnceMax': 'Number of jobs of harvest definitions that run at the same time.',
  'setting.generation.noResponseSecondsMax':
    'A job of a harvest ends when it receives nothing for this long, so that one slow server does not keep it running. 0 = never. Templates may have another value.',
  'setting.generation.inactiveSecondsMax':
    'A job of a harvest ends when no request is in progress for this long, for example because all hosts are paused. 0 = never. Templates may have another value.',
  'setting.generation.aliasDays': 'An alias of a domain expires after this many days.',
  'setting.generation.alarmPercent':
    'A run of a harvest is abnormal when it is this large compared with earlier runs, or as much smaller.',
  'setting.generation.configurationSubsetSize': 'Number of domain configurations that are sorted and split at once.',
  'setting.generation.snapshotConfigurationsMax':
    'Maximum number of domain configurations in one job of a snapshot harvest. 0 = unlimited.',
  'setting.generation.focusedConfigurationsMax':
    'Maximum number of domain configurations in one job of another harvest, with jobs of fixed size. 0 = unlimited.',
  'setting.generation.objectsTotalMax': 'Maximum number of objects expected of one job.',
  'setting.generation.relativeSizeDifferenceMax':
    'The largest domain of a job may be expected to have this many times the objects of the smallest.',
  'setting.generation.absoluteSizeDifferenceMin':
    'Domains may always share a job when their expected objects differ by no more than this.',
  'setting.generation.errorFactorPreviousResult':
    'A domain that was harvested completely is expected to grow by one part in this many of the way to its limit.',
  'setting.generation.expectedBytesPerObject':
    'Expected size of an object where earlier harvests were too small to tell.',
  'setting.generation.domainObjectsUsual': 'Number of objects expected of a domain without limits.',
  'setting.generation.jobSizes':
    'How a harvest becomes jobs. comparable: domains of similar expected size together. fixed: a fixed number of domains with equal limits.',
  'setting.generation.splitLimit': 'Which limit all domains of a job have in common.',
  'setting.generation.zeroLimits': 'Whether domains with a limit of 0 are left out of harvests.',
  'setting.harvest.historyRowsMax': 'Keep at most this many history entries. The oldest are removed first.',
  'setting.notifications.rules':
    'Who is notified of what: "KINDS [in HARVEST] -> CHANNELS" each. Kinds: all, errors, warnings, or names. Channels: log, desktop, email:ADDRESS, webhook, module.',
  'setting.notifications.smtp':
    'Mail server for notifications, as smtp://HOST:PORT or smtps://HOST:PORT. Empty: no e-mail.',
  'setting.notifications.smtpCredential': 'Stored credential for the mail server. Empty: none is needed.',
  'setting.notifications.from': 'Sender address of notifications by e-mail.',
  'setting.notifications.webhook': 'URL to which notifications are posted as JSON. Empty: none.',
  'setting.notifications.module':
    'JavaScript module of your own that sends notifications: its default export is a function. Empty: none.',
  'setting.notifications.moduleSettings': 'Settings that the module of your own receives.',
  'setting.notifications.combineMinutes': 'Equal notifications within this time are shown and sent as one.',
  'setting.notifications.attemptsMax': 'Number of attempts to deliver a notification before it is given up.',
  'setting.places':
    'Location of each replica: its name and a place, such as "Aarhus, server room". Replicas with the same place count as one location. Reports count a missing location as not met.',
  'setting.preservation.overdueDays': 'A copy is overdue when its checksum was not verified for this many days.',
  'setting.preservation.missingEveryDays': 'Interval of scheduled checks for missing files. 0: never.',
  'setting.preservation.checksumsEveryDays': 'Interval of scheduled checksum checks. 0: never.',
  'setting.preservation.checksumsSample':
    'Number of randomly chosen files that a scheduled checksum check reads. 0: all files.',
  'setting.preservation.spotsEveryDays':
    'Interval of scheduled spot checks, in which each replica proves with a random salt that it holds the bytes. 0: never.',
  'setting.preservation.spotFiles': 'Number of randomly chosen files in a scheduled spot check.',
  'setting.preservation.bytesPerSecondMax': 'Read speed limit of checks that a user starts. 0: no limit.',
  'setting.preservation.quietBytesPerSecondMax': 'Read speed limit of scheduled checks. 0: no limit.',
  'setting.preservation.declared':
    'Conditions of the NDSA levels that Loupe cannot verify and that your institution declares as met, by their names in the report. Reports mark them as declared.',
  'setting.backup.folder':
    'Folder for backups of the database, relative to the archive folder or absolute. Use a drive that holds neither the archive nor a replica: only then does a report count the backups as separate.',
  'setting.backup.everyHours':
    'Interval of scheduled database backups. 0: never. No backup is written when nothing has changed since the last one.',
  'setting.backup.keepCount': 'Always keep this many of the newest good backups, however old they are.',
  'setting.backup.keepDays':
    'Also keep backups that are younger than this. Older ones are removed after the next backup. 0: only the number counts.',
  'setting.viewer.port': 'Port of the viewer proxy on this machine. 0: any free port.',
  'setting.viewer.indexBytesMax':
    'Disk space for capture indexes, the same again for indexes of crawl logs, and the same again for deduplication indexes. Beyond it, the least recently used index of that kind is removed (capture indexes of saved selections last) and rebuilt when needed. Index lines are never removed for space.',
  'setting.viewer.recordCacheBytesMax':
    'Memory for archived records that the viewer has read and verified within the last minute, so that it does not read and decompress them again. Damage to a file on disk shows in the viewer after that minute. 0: none.',
  'setting.viewer.captureDistanceHoursMax':
    'The viewer warns about resources captured further than this from the time of their page. Captures within one harvest of a site are often hours apart.',
  'setting.viewer.block':
    'URLs that are blocked: the viewer answers 451. SURT prefixes; the longest matching prefix decides.',
  'setting.viewer.exclude':
    'URLs that are hidden: the viewer answers 404, as if they had not been captured. SURT prefixes; the longest matching prefix decides.',
  'setting.viewer.allow':
    'URLs that are shown although a shorter prefix blocks or excludes them. SURT prefixes; the longest matching prefix decides.',
  'setting.archive.sharedWith':
    "Other accounts of this machine that may read and change the archive: none, or those in its folder's group. Stored passwords are never shared.",
  'setting.server.port': 'Port of the interface when Loupe runs as a server. 0: any free port.',

  'setting.ofArchive': '{path} describes one archive, so only the loupe.toml of an archive can have it.',
  'setting.user.none': 'There is no settings file of a user here.',
  'setting.noFile': 'There is no file {file}.',
  'setting.unknown': 'There is no setting "{path}".',
  'setting.unknown.near': 'There is no setting "{path}"; the nearest known one is "{near}".',
  'setting.unknown.list': 'There is no setting "{path}": "loupe settings list" shows all of them.',
  'setting.unknown.value': '{said} Its value there is {value}.',
  'setting.wrong': '{problem} Its value is {value}.',
  'setting.inFile': '{file}: {problem}',
  'setting.toml': '{file}, line {line}: {problem}',
  'setting.toml.line': '{file}, line {line} ("{text}"): {problem}',
  'setting.uneditable': 'The setting {path} in {file} has a form that Loupe cannot change: edit the file.',
  'setting.places.unknown': 'places.{name}: there is no replica "{name}". The archive has {known}.',
  'setting.places.unknown.near':
    'places.{name}: there is no replica "{name}"; the nearest known one is "{near}". The archive has {known}.',
  'setting.replicas.clash': '{problem} ({lines}).',
  'setting.backup.folder.refused': 'backup.folder: {problem}',
  'setting.json': "The setting {path} is a {kind} and must be written as JSON, for example ''{example}''.",
} as const
