/** Text about connectors: choosing them for a harvest, and the list of installed ones. */

export const connectorWords = {
  'connectors.title': 'Connectors',
  'connectors.text':
    'Connectors read from and write to different kinds of sources. A job whose connector is not installed waits until it is installed again; nothing is lost.',
  'connectors.version': 'version {version}',
  'connectors.used': 'archive last used with version {version}',
  'connectors.jobs': '{jobs, plural, =0 {not used by any job} one {used by # job} other {used by # jobs}}',
  'connectors.waiting': 'Waiting jobs:',
  'connectors.job': 'job {job}',
  'connectors.install': 'Install',
  'connectors.install.what': 'Install {title}',
  'connectors.deinstall': 'Uninstall',
  'connectors.deinstall.what': 'Uninstall {title}',
  'connectors.deinstall.title': 'Uninstall “{title}”?',
  'connectors.deinstall.text':
    '{jobs, plural, one {# job uses it and pauses} other {# jobs use it and pause}} until it is installed again. Captures and queued URLs are kept.',
  'connectors.asked': 'The request is being processed.',

  'form.connector': 'Source',
  'form.connector.web': 'Web site',
  'form.connector.web.hint': 'Starts at the seeds and follows links.',
  'form.connector.sitemap': 'Sitemap',
  'form.connector.sitemap.hint':
    'Captures the pages listed in a sitemap and their embedded resources. Links are not followed.',
  'form.connector.feed': 'Feed',
  'form.connector.feed.hint':
    'Captures the entries of an RSS or Atom feed and their embedded resources, with titles and dates.',
  'form.connector.folder': 'Folder',
  'form.connector.folder.hint':
    'Captures the files of a folder on the computer that runs Loupe. Links are not followed.',
  'form.connector.missing':
    '“{title}” is not installed. You can define the harvest; its job waits until the connector is installed.',
  'form.connector.settings': 'Open settings',
  'form.seeds.sitemap': 'Sitemap URLs',
  'form.seeds.sitemap.hint': 'Sitemaps, sitemap indexes or text files of URLs, optionally compressed. One per line.',
  'form.seeds.feed': 'Feed URLs',
  'form.seeds.feed.hint': 'One per line.',
  'form.seeds.folder': 'Folders',
  'form.seeds.folder.hint':
    'Absolute paths, one per line, for example /home/me/pictures. Symbolic links are not followed.',
  'form.changedSince': 'Only pages changed since',
  'form.changedSince.hint': 'A date such as 2026-01-31. Pages without a date in the sitemap are always captured.',
  'form.olderParts': 'Include older pages of the feed',
  'form.hidden': 'Include hidden files and folders (names that begin with a dot)',
  'form.output': 'Output',
  'form.output.text': 'Archive, or a dry run that stores nothing.',
  'form.output.archive': 'Archive',
  'form.output.archive.hint': 'Captures are written to WARC files and stored in every replica.',
  'form.output.null': 'Dry run',
  'form.output.null.hint': 'URLs are fetched and counted but not stored, to try out scope and politeness.',
} as const
