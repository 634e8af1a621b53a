/** Who may import whom. A floor imports only from the floors, packages and Node modules named in its row. Inside a floor, a folder is a
 *  room, and rooms are listed from the lowest to the highest: a room imports itself and the rooms before it, and the files at the root of
 *  a floor import any of them. `floors.test.ts` reads this table and reports violations in sentences. Tests, and files in folders named
 *  `testing`, may import anything. */

/** The rules of one floor. */
export interface Floor {
  why: string
  /** Other floors whose files it may import. */
  uses: readonly string[]
  packages: readonly string[]
  /** Node's own modules, without `node:`. */
  node: readonly string[]
  /** Folder → what is in it, from the lowest to the highest. Names may have several parts (`queue/priority`); every folder with
   *  files belongs to one. Absent: the folders of this floor are not checked yet. */
  rooms?: Readonly<Record<string, string>>
  /** It ships in no build, so it may import from folders named `testing`. */
  isTesting?: boolean
}

/** The floors from the lowest to the highest. No floor imports one above it. */
export const floors: Record<string, Floor> = {
  patterns: {
    why: 'Regular expressions that people type, matched in linear time; the contract refuses what they cannot be, so neither Node nor DOM.',
    uses: [],
    packages: ['re2js'],
    node: [],
  },
  contract: {
    why: 'Calls, events, types and texts; shared with the interface, so neither Node nor DOM.',
    uses: ['patterns'],
    // intl-messageformat: the messages of `words/`, in the format that the interface has too.
    packages: ['intl-messageformat', 'zod'],
    node: [],
    rooms: {
      words: 'Messages: codes with values, their templates, and rendering.',
      text: 'Texts with one form everywhere: amounts, browser switches, quoted words of a shell.',
      calls: 'Calls, events and faults: what every transport carries.',
      states: 'State machines as tables, and how documents can end.',
      shapes: 'Shapes that several services share: selections, patterns, throttles.',
      services: 'Shapes of what each service takes and returns.',
    },
  },
  world: {
    why: 'The only access to clock, random numbers, disk, network, threads and programs; tests use a seeded counterpart.',
    uses: [],
    packages: [],
    node: [
      'child_process',
      'crypto',
      'dns',
      'fs',
      'fs/promises',
      'net',
      'os',
      'path',
      'process',
      'timers/promises',
      'tls',
      'url',
      'v8',
      'worker_threads',
    ],
    rooms: {},
  },
  modules: {
    why: 'Code of the user: found, loaded and checked; not sandboxed.',
    uses: ['contract', 'world'],
    packages: [],
    node: ['path', 'url'],
    rooms: {},
  },
  formats: {
    why: 'Bytes in, values out, no I/O: the formats of the field.',
    uses: ['contract'],
    packages: ['htmlparser2', 'pdfjs-dist', 'tldts'],
    // url: the place of the character maps of pdf.js.
    node: ['buffer', 'crypto', 'url', 'zlib'],
    rooms: {
      bytes: 'Windows over a file, the lines in it, header text, JSON, and digests.',
      rules: 'Every rule a finding can name, findings, and their count by rule.',
      packing: 'Gzip members and Zstandard frames, one at a time, with the offset where each ends.',
      http: 'Archived HTTP messages: heads, chunked bodies, content codings.',
      records: 'WARC and ARC records, the bytes between them, and their digests; writing WARC records.',
      cdx: 'Captures, SURT keys, timestamps and index lines.',
      links: 'What a resource refers to: links, forms, sitemaps, robots.txt.',
      text: 'The text of documents as people read it: pages, plain text, feeds, PDF.',
      check: 'What is wrong with one record, and with the records of a file taken together.',
      wacz: 'ZIP files and the WACZ packages in them: reading, checking, writing, signatures.',
      har: 'HAR files read as HTTP exchanges.',
      rewrite: 'New files from existing ones: conversion, recompression, salvage.',
      logs: 'What crawlers report about each URL: crawl logs, status codes, duplicates.',
    },
  },
  storage: {
    why: 'The only access to the database.',
    // world: creates the database file with its permissions, which SQLite then keeps.
    uses: ['patterns', 'contract', 'world'],
    packages: ['better-sqlite3'],
    // crypto: SHA-256 as a function of SQL, for the chain of the audit log.
    node: ['crypto'],
    rooms: {
      sqlite:
        'What is added to SQLite: its faults as ours, regular expressions, and plans that do not depend on bound values.',
      schema: 'Tables, indexes and triggers, and the steps that bring an older database to them.',
    },
  },
  tasks: {
    why: 'Everything that is started, reports progress, is paused or stopped, ends and survives a restart; it knows no kind of work.',
    uses: ['contract', 'world', 'storage'],
    packages: [],
    node: [],
    rooms: {},
  },
  files: {
    why: 'Archive files in any place, in an archive or not: checked, listed, indexed, rewritten as new files; never changed.',
    uses: ['contract', 'world', 'formats'],
    packages: [],
    node: ['path'],
    rooms: {
      disk: 'Files read and written in bounded pieces: lines, sorted lines, spools, and the bounds of all of this floor.',
      work: 'One action over many files: finding them, working in threads, results in the order of the files.',
      check: 'One archive file checked, and findings as the contract has them.',
      records: 'Records of a file as rows, and one record with everything known about it.',
      index: 'Index lines of a file.',
      rewrite: 'Converted, recompressed and salvaged copies of a file.',
      export: 'New WARC, WACZ and CSV files from chosen records of many files.',
    },
  },
  archive: {
    why: 'Ground truth: replicas, catalogue, uploads, bit preservation.',
    uses: ['patterns', 'contract', 'world', 'modules', 'formats', 'storage', 'tasks', 'files'],
    // zod: shapes of settings.
    packages: ['zod'],
    // async_hooks: through which shell a call came. url: a batch job's module is named by its path and loaded by its URL.
    node: ['async_hooks', 'crypto', 'path', 'url'],
    rooms: {
      files: 'Names, bounds, faults, and reading, copying and hashing files; it knows no replica and no catalogue.',
      replica: 'One place where copies are kept: a folder of files, or a list of checksums.',
      audit: 'The chained log of every action on the archive.',
      copies: 'The catalogue: which files there are, and what is known about each copy.',
      store: 'Storing a file in every replica, reading it back, and the interface to the archive (archive.ts).',
      check: 'Checks of the copies: missing files, checksums, spot checks, and their schedule.',
      repair: 'Replacing bad copies and restoring missing ones, and the attic for what was replaced.',
      backup: 'Backups of the database, their verification and their restore.',
      report: 'The report on the state of the archive, and its NDSA levels.',
      export: 'Copying files out of the archive.',
      batch: 'Programs that run over many files of the archive.',
    },
  },
  access: {
    why: 'Who may see what: access tokens of users, asked of authorities, and the decision that they lead to.',
    uses: ['patterns', 'contract', 'world', 'modules', 'storage'],
    // ldapts: LDAP servers, over sockets of its own.
    packages: ['ldapts', 'zod'],
    node: ['net', 'path', 'tls'],
    rooms: {
      model: 'Tokens, answers and what a connector is, as pure values; the settings of the floor.',
      store: 'Domains, groups and connections in the database.',
      connectors:
        'Where tokens and user names come from: nothing, a file, an LDAP server, a pattern, a module of the user.',
      requests: 'Requests: the queue, the workers, answers that are kept, and what is put together from them.',
      response: 'Requests and answers as other programs write and read them.',
    },
  },
  indexes: {
    why: 'Derived from the archive, may be deleted at any time and is rebuilt.',
    uses: ['patterns', 'contract', 'world', 'formats', 'storage', 'tasks', 'files', 'archive'],
    packages: ['flexsearch', 'zod'],
    // zlib: texts of the text index.
    node: ['crypto', 'path', 'zlib'],
    rooms: {
      model: 'What an index is asked for, what it returns, and the bounds of the floor.',
      names: 'Names of everything in the application, in memory, for quick open.',
      databases: 'Files of derived databases: opened for one task, counted while in use, removed when left over.',
      lines: 'The index lines of archive files, taken from metadata or made by reading the files.',
      logs: 'Records that hold crawl logs, and the duplicates that those logs list.',
      captures: 'One database of captures: its tables, its queries, and what it does not cover.',
      build: 'Makes and extends databases of captures.',
      crawlLogs: 'Databases of crawl log lines by URL, for captures that are missing.',
      affected: 'What would be lost with one archive file.',
      dedup: 'Deduplication indexes: which records a revisit may refer to, by URL and by payload.',
      inventory: 'Indexes on the disk, listed and dropped.',
      'text/words': 'Words as texts and queries are compared.',
      'text/reading': 'The text of documents of all forms, read with limits.',
      'text/store': 'The tables of the text index: writing, status, and documents that leave.',
      'text/build': 'Documents of archive files, read into the text index.',
      'text/query': 'Queries: read, ranked, with facets, snippets and suggestions.',
      text: 'The text index: built, searched, and left by jobs.',
      listing: 'Index lines of a selection, written to a file.',
      ledger: 'What deduplication saved, what refers to what, and what does not resolve.',
    },
  },
  viewer: {
    why: 'The proxy that answers a browser from an index; it never sees the crawl.',
    uses: ['contract', 'world', 'formats', 'storage', 'tasks', 'files', 'archive', 'indexes'],
    packages: ['@peculiar/x509', 'reflect-metadata', 'http-proxy-3', 'zod'],
    // buffer: tests whether a text is UTF-8, natively because it looks at every byte.
    node: ['buffer', 'crypto', 'http', 'http2', 'net', 'path', 'stream', 'tls', 'zlib'],
    rooms: {
      model: 'Requests of browsers, replies to them, access rules, and the bounds of the floor.',
      certificates: 'The certificate authority of the proxy and the certificates that it signs for host names.',
      proxy: 'HTTP/1.1, HTTP/2 and TLS towards the browser; a resolver gives each reply.',
      records: 'Archived records, found and decoded in the files of the archive.',
      viewings: 'Who views what, the requests asked in a viewing, the last answers and the findings.',
      replay: 'From a capture to a reply.',
      pages: 'Pages of a view: the list with titles, suggestions, and where to begin.',
      links: 'Links of the chain that answer for archived URLs.',
      commands: 'Links of the chain that answer on the command host.',
      chain: 'The chain of links, the resolver that asks it, and explanations of its answers.',
    },
  },
  delivery: {
    why: 'Captured documents, delivered to several destinations: none is lost, and none waits for another.',
    uses: ['patterns', 'contract', 'world', 'modules', 'formats', 'storage', 'files', 'archive', 'indexes'],
    packages: ['smol-toml', 'zod'],
    node: ['crypto', 'path'],
    rooms: {
      model: 'Documents, kinds of steps, and the bounds of the floor.',
      plan: 'Plans: read, checked, and the ways of documents through them.',
      status: 'The status of each document at each destination: stored, searched, compacted.',
      scanners: 'Where documents come from: captures of jobs, folders of WARC files, selections.',
      processors: 'Steps that read, change, split or drop documents.',
      destinations: 'Where documents go: folders, webhooks, search engines.',
      run: 'A running plan: scans, routes, queues of destinations, recovery.',
      outputs: 'Output connections: what they should have, their versions, removal, and notices that jobs have ended.',
    },
  },
  crawl: {
    why: 'Jobs and documents: frontier, politeness, fetch, settle, commit. It never sees the viewer.',
    uses: [
      'patterns',
      'contract',
      'world',
      'modules',
      'formats',
      'storage',
      'tasks',
      'files',
      'archive',
      'indexes',
      // Only which outputs a job names, and that they are told of its end.
      'delivery',
    ],
    packages: ['tough-cookie', 'zod'],
    // url: a file of a folder has a path and is harvested under its URL. util: compares two definitions.
    // v8: early results of an ordered run, written to a file and read again.
    node: ['crypto', 'path', 'url', 'util', 'v8', 'zlib'],
    rooms: {
      model: 'Types, settings, bounds and the statements on jobs that every other room uses.',
      schedule: 'When the time windows of a schedule open and close.',
      frontier: 'Which documents a job knows, their order over all jobs, and the pauses that hosts are owed.',
      history: 'What the harvester did, and the reports over it.',
      'capture/fetch': 'One request and its answer over HTTP, and the outlinks in it.',
      'capture/login': 'Sessions, credentials and cookies for sites with pages behind a login.',
      'capture/records': 'Answers as WARC records, and the WARC file that a job is writing.',
      'capture/originals': 'Captures of other jobs that revisits may refer to.',
      'capture/bodies': 'Links, digests and compression, in a thread of their own.',
      'capture/connectors': 'Where documents come from and where captures go: web, lists, folders; archive or nothing.',
      connections: 'Connections: stored, put into the definitions that name them, checked.',
      'settle/carried': 'Data that a document hands down to those it links to.',
      'settle/hops': 'Distances from the seeds, and which documents the limits of hops let in.',
      settle: 'What an attempt means for its document: done, tried again, rechecked later, or removed from the list.',
      live: 'What users see and change while a job runs.',
      order: 'Documents committed in the order in which they were scheduled: numbers, the window, early results.',
      run: 'One running job: turns, captures, commits.',
      import: 'Archive files and captures of other programs, taken in as a job.',
      ownership: 'Which files in the folders of jobs belong to this database, and what to do with the others.',
      definition: 'Harvest definitions: checked, stored, changed.',
      jobs: 'Jobs as users ask for them and act on them.',
      dedup: 'Which jobs a job continues, and how a run gets the index of their captures.',
      finish: 'The end of a run: closed files, metadata files and their upload.',
      recover: 'Jobs and documents read again from metadata files after the database was lost.',
      loops: 'The loops that move jobs from state to state.',
    },
  },
  harvest: {
    why: 'What an institution harvests, when, and within which limits: it generates jobs, and touches no document.',
    uses: ['patterns', 'contract', 'world', 'formats', 'storage', 'tasks', 'archive', 'indexes', 'crawl'],
    packages: ['smol-toml', 'zod'],
    node: [],
    rooms: {
      model: 'Configurations, limits, results, channels, and the settings of the split.',
      calendar: 'Schedules of harvests, and the times of their runs.',
      templates: 'Crawl settings under a name, in versions, as TOML.',
      domains: 'Domains with their configurations, seed lists, crawler traps, aliases and extended fields.',
      estimates: 'How many objects a configuration is expected to have.',
      splitting: 'Which configurations share a job, and why.',
      jobs: 'Generated jobs: their status, their explanation, and what users decide about them.',
      definitions: 'Harvest definitions: checked, stored, planned.',
      generation: 'The jobs of one run: read, split, stored.',
      statistics: 'What jobs fetched of each domain, and which runs are abnormal.',
      submission: 'When runs are generated, and the queues of their jobs.',
    },
  },
  notifications: {
    why: 'What people are told without having asked: stored first, delivered at least once, by rules.',
    uses: ['patterns', 'contract', 'world', 'modules', 'storage'],
    packages: ['nodemailer', 'zod'],
    node: [],
    rooms: {
      model: 'Rules, settings, and what a channel is.',
      channels: 'E-mail, webhook, and a module of the user.',
      delivery: 'Notifications and their deliveries in the database.',
    },
  },
  app: {
    why: 'The services behind the contract; composes everything, no logic of its own.',
    uses: [
      'contract',
      'world',
      'modules',
      'formats',
      'storage',
      'tasks',
      'files',
      'archive',
      'access',
      'indexes',
      'viewer',
      'delivery',
      'crawl',
      'harvest',
      'notifications',
    ],
    packages: ['smol-toml', 'zod'],
    // http: the sample site, a server on loopback in place of the Web.
    node: ['http', 'path', 'url'],
    rooms: {
      signals: 'Events of the engine, and errors of lower floors as faults.',
      settings: 'The settings of an archive: their table, loupe.toml, and their changes in the audit log.',
      given: 'What a shell gives the engine that it opens: options, a way to start browsers, a way to draw pages.',
      folders:
        'The folders of an archive: which are opened, their permissions, and files that arrive from the interface.',
      plugins: 'Parts that settings choose: those that Loupe has, and modules of the user.',
      monitoring: 'The status of the engine as text for Prometheus.',
      searches: 'Searches that users have saved.',
      services: 'One service of the contract per file, and what several of them need.',
    },
  },
  simulation: {
    why: 'Seeded runs of the engine with faults; ships in no build.',
    isTesting: true,
    uses: [
      'contract',
      'world',
      'formats',
      'storage',
      'tasks',
      'files',
      'archive',
      'indexes',
      'crawl',
      'harvest',
      'app',
    ],
    packages: [],
    // fs, os: a folder on the real disk for the database; SQLite survives power cuts by itself.
    node: ['fs', 'os', 'path', 'process', 'util'],
  },
  shells: {
    why: 'Where a process begins: the command line, the server, Electron.',
    uses: ['contract', 'world', 'files', 'app'],
    packages: ['commander', 'electron', 'eventsource-parser', 'vite'],
    rooms: {
      places:
        'Where things are: the default archive, the folder of the caller, a running engine, the file of an export.',
      picture: 'Images of whole pages, with their provenance in the file.',
      server: 'The contract over HTTP, and Chromium as the window of the server shell.',
      launch: 'Building, packaging and choosing a shell.',
      'cli/output': 'What the command line prints: tables, notes, errors.',
      'cli/input': 'What it reads: values of options, files, confirmations, secrets.',
      'cli/session': 'What every verb works with: an engine of its own or a running one, and archive files.',
      'cli/verbs': 'What each verb does.',
      'cli/commands': 'Options and help of each verb.',
      cli: 'The program: arguments in, exit code out.',
      electron: 'The desktop application: main process, engine in a utility process, preload.',
    },
    node: [
      'child_process',
      'crypto',
      'fs',
      'fs/promises',
      'http',
      'module',
      'net',
      'os',
      'path',
      'process',
      'stream',
      'stream/promises',
      'timers/promises',
      'url',
      'util',
      'v8',
      // The checksums of PNG, for the provenance in a picture.
      'zlib',
    ],
  },
}

/** The rooms of `src-renderer`, under the same rules as those of a floor. */
export const interfaceRooms: Floor['rooms'] = {
  words: 'All text of the interface, and the way to it.',
  routes: 'The URL of each screen.',
  links: 'Connections to the engine: HTTP with server-sent events, or messages in Electron.',
  state: 'Stores of data from the engine and of what the user does with it; no components.',
  parts: 'Components and formats that know nothing of harvesting and archiving: tables, dialogs, buttons, numbers.',
  'screens/selection': 'Fields that select jobs and files.',
  'screens/findings': 'Parts that show findings: severities, names of rules, totals.',
  'screens/copies': 'Parts that show copies in replicas: badges, columns, names of checks, concerns.',
  'screens/refused': 'The screen of a window without an access token.',
  'screens/viewer': 'Replay: the archived page, its resources and the choice of what to view.',
  'screens/record': 'Records of a file, with headers and payload.',
  'screens/jobs': 'The list of jobs, and the names of their states.',
  'screens/schedule': 'Schedules and upcoming runs.',
  'screens/harvest': 'The form that defines a harvest.',
  'screens/deduplication': 'What deduplication saved, what refers to what, and what does not resolve.',
  'screens/statistics': 'Results of jobs per domain, sizes of runs, and alarms.',
  'screens/generated': 'Jobs that harvests generated, and why their domains are together.',
  'screens/queue': 'The queue of a running job, and how to change it.',
  'screens/job': 'One job: progress, findings, URLs, files, log.',
  'screens/capture': 'Finds the record of a URL in a job.',
  'screens/export': 'Exports to WACZ, WARC and CSV.',
  'screens/import': 'Imports of archive files.',
  'screens/history': 'Reports on what the crawler did.',
  'screens/audit': 'The audit log, and whether it is intact.',
  'screens/backups': 'Backups of the database.',
  'screens/batch': 'Batch jobs over archived files.',
  'screens/repair': 'Repairs of copies, and the attic.',
  'screens/report': 'The preservation report.',
  'screens/archivedFile': 'One archived file: its copies, checks and history.',
  'screens/archive': 'Replicas, checks and files, with the tabs of the archive.',
  'screens/templates': 'Templates: their versions, and their settings as a form or as TOML.',
  'screens/harvestSchedules': 'Schedules that harvests share.',
  'screens/domains': 'Domains with their configurations, seed lists, traps and history.',
  'screens/harvests': 'Harvest definitions, with the tabs of all that belongs to them.',
  'screens/quickOpen': 'Finds anything by its name, over any screen.',
  'screens/search': 'Search in the text of documents and among URLs.',
  'screens/plans': 'Delivery plans: drawn with their numbers, written as TOML, and their documents by status.',
  'screens/system': 'Loops, queues, memory, notifications and the log of the engine.',
  'screens/settings': 'Settings and connectors.',
  'screens/start': 'The screen of an empty archive.',
  shell: 'The frame around the screens: navigation, menus, dialogs, and the screen of each route.',
}

/** The only floor that may import a package, where another one could otherwise list it too. */
export const homes: Record<string, string> = {
  re2js: 'patterns',
  'better-sqlite3': 'storage',
  'http-proxy-3': 'viewer',
  ldapts: 'access',
  flexsearch: 'indexes',
  'tough-cookie': 'crawl',
  electron: 'shells',
}

/** Folder and file names that say nothing about what is inside. */
export const forbiddenNames = ['util', 'utils', 'common', 'helpers', 'types', 'constants', 'misc', 'shared']
