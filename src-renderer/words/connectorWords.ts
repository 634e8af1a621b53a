/** What is said of connectors: choosing them for a harvest, and the list of those that are installed. */

export const connectorWords = {
  'connectors.title': 'Connectors',
  'connectors.text':
    'Where harvests take their documents from, and where they put them. A job whose connector is not installed waits until it is back; nothing of it is lost.',
  'connectors.version': 'version {version}',
  'connectors.used': 'this archive was used with version {version}',
  'connectors.jobs': '{jobs, plural, =0 {no job uses it} one {# job uses it} other {# jobs use it}}',
  'connectors.waiting': 'Waiting for it:',
  'connectors.job': 'job {job}',
  'connectors.install': 'Install',
  'connectors.install.what': 'Install {title}',
  'connectors.deinstall': 'Deinstall',
  'connectors.deinstall.what': 'Deinstall {title}',
  'connectors.deinstall.title': 'Take “{title}” out of use?',
  'connectors.deinstall.text':
    '{jobs, plural, one {The job that uses it fetches} other {The # jobs that use it fetch}} nothing more until it is installed again. What was fetched is kept, and what waits goes on waiting.',
  'connectors.asked': 'The engine is being asked.',

  'form.connector': 'What to harvest',
  'form.connector.web': 'Web site',
  'form.connector.web.hint': 'Begins at the seeds and follows their links.',
  'form.connector.sitemap': 'Sitemap',
  'form.connector.sitemap.hint': 'The pages that a sitemap lists, with what they load; links are not followed.',
  'form.connector.feed': 'Feed',
  'form.connector.feed.hint': 'The entries of an RSS or Atom feed, with what they load, their titles and dates.',
  'form.connector.folder': 'Folder',
  'form.connector.folder.hint':
    'The files of a folder on the machine where Loupe runs, as they are. Nothing in them is followed.',
  'form.connector.missing':
    '“{title}” is not in use now. The harvest can be defined; its job waits until the connector is installed.',
  'form.connector.settings': 'To the settings',
  'form.seeds.sitemap': 'Addresses of sitemaps',
  'form.seeds.sitemap.hint': 'Of a sitemap, a list of sitemaps or a text file of addresses, also packed; one a line.',
  'form.seeds.feed': 'Addresses of feeds',
  'form.seeds.feed.hint': 'One a line.',
  'form.seeds.folder': 'Folders',
  'form.seeds.folder.hint': 'Whole paths, one a line, as in /home/me/pictures. Links in them are not followed.',
  'form.changedSince': 'Only what changed since',
  'form.changedSince.hint': 'A day, as in 2026-01-31. Pages of which the sitemap gives no date are fetched too.',
  'form.olderParts': 'Also the older parts that the feed names',
  'form.hidden': 'Also files and folders whose names begin with a dot',
  'form.output': 'What becomes of it',
  'form.output.text': 'Kept in the archive, or a dry run that keeps nothing.',
  'form.output.archive': 'It is kept',
  'form.output.archive.hint': 'Written into WARC files, which go into every replica.',
  'form.output.null': 'Dry run',
  'form.output.null.hint':
    'Everything is fetched and counted, and nothing is written down: to try out scope and politeness.',
} as const
