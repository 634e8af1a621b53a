/** Text about the links between the hosts of a job. */

export const linkWords = {
  'job.links': 'Links between hosts',
  'job.links.show': 'Count links',
  'job.links.all': 'All links between URLs of the job.',
  'job.links.first':
    'Of each URL only the link by which it was found. A job with limits of the distance records all links.',
  'job.links.none': 'No links',
  'job.links.none.text': 'No URL of this job links to another.',
  'job.links.from': 'From',
  'job.links.to': 'To',
  'job.links.count': 'Links',
  'job.links.save.graphml': 'Save as GraphML',
  'job.links.save.gexf': 'Save as GEXF',
  'job.links.leftOut': '{count} more pairs of hosts have fewer links.',
  'job.links.picture': '{count} hosts and the links between them. The table has the numbers.',
  'job.links.line': '{from} and {to}: {links, plural, one {{amount} link} other {{amount} links}}',
  'job.links.legend':
    'The wider a line, the more links there are between two hosts; the larger a dot, the more URLs. Links inside a host are in the table only.',
} as const
