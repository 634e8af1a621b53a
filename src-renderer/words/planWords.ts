/** Text about delivery plans. */

export const planWords = {
  'rail.plans': 'Plans',
  'plans.title': 'Delivery plans',
  'plans.text':
    'A delivery plan sends captured documents to search engines, webhooks and folders, and keeps the status of each document at each destination.',
  'plans.new': 'New plan',
  'plans.none': 'No delivery plans yet',
  'plans.none.text':
    'A plan names what is scanned, how documents are processed, and where they go. The editor begins with an example and checks it while you type.',
  'plans.name': 'Plan',
  'plans.run': 'State',
  'plans.run.running': 'Running',
  'plans.run.once': 'Running once',
  'plans.run.waiting': 'Waiting',
  'plans.run.stopped': 'Stopped',
  'plans.run.problem': 'Failed, restarting',
  'plans.run.running.meaning':
    'The plan runs, also after a restart of Loupe, until you stop it or everything is delivered.',
  'plans.run.once.meaning': 'The plan runs until every document is settled.',
  'plans.run.waiting.meaning': 'At most four plans run at the same time: this one starts when another ends.',
  'plans.run.stopped.meaning': 'The plan does not run.',
  'plans.version': 'Version',
  'plans.version.of': '{version} of {newest}',
  'plans.saved': 'Saved (UTC)',
  'plans.delivered': 'Delivered',
  'plans.waiting': 'In progress',
  'plans.failed': 'Undelivered',
  'plans.dropped': 'Dropped',
  'plans.actions': 'Actions',
  'plans.start': 'Run',
  'plans.startOnce': 'Run once',
  'plans.stop': 'Stop',
  'plans.start.of': 'Run {name}',
  'plans.stop.of': 'Stop {name}',
  'plans.stop.title': 'Stop {name}?',
  'plans.stop.text':
    'Documents that are on their way keep their status. The next run sends them to exactly the destinations that they have not reached.',
  'plans.refused': 'The plan could not be changed',

  'plan.all': '← All delivery plans',
  'plan.edit': 'Edit',
  'plan.busy.why': 'The last request is still in progress.',
  'plan.problem': 'The last attempt to run the plan failed. It is started again after a pause.',
  'plan.chooseVersion': 'Version',
  'plan.version.saved': '{version}, saved {time} UTC',
  'plan.run': 'This run',
  'plan.lastRun': 'Last run',
  'plan.outcome.now': '{outcome} now',
  'plan.run.since': 'Since {time} UTC',
  'plan.run.ended': '{from} to {to} UTC',
  'plan.run.none': 'None since Loupe was started',
  'plan.rate': 'Delivered per second',
  'plan.rate.found': 'Found per second',
  'plan.drawing': 'Steps',
  'plan.drawing.label': 'Drawing of the plan',
  'plan.numbers.running':
    'Numbers on lines: documents that went this way since the run began at {time} UTC. A document that is processed again counts again.',
  'plan.numbers.ended':
    'Numbers on lines: documents that went this way in the last run, from {from} to {to} UTC. A document that is processed again counts again.',
  'plan.numbers.none':
    'Lines have no numbers, because this version has not run since Loupe was started. Destinations show their documents now.',
  'plan.numbers.writing': 'Lines get numbers when the plan runs.',
  'plan.role.scanner': 'Scanner',
  'plan.role.processor': 'Processor',
  'plan.role.destination': 'Destination',
  'plan.router': 'Router',
  'plan.router.all': 'to all',
  'plan.router.stepName': 'by name',
  'plan.router.field': 'by field',
  'plan.router.roundRobin': 'in turns',
  'plan.router.all.meaning': 'Every step that follows gets a copy of each document.',
  'plan.router.stepName.meaning': 'The field {field} of a document names the next step.',
  'plan.router.field.meaning': 'The value of the field {field} chooses the next step.',
  'plan.router.roundRobin.meaning': 'The steps that follow get documents in turns.',
  'plan.otherwise': 'otherwise',
  'plan.effect.safe': 'safe',
  'plan.effect.idempotent': 'idempotent',
  'plan.effect.potent': 'potent',
  'plan.effect.safe.meaning': 'Safe: the step has no effect outside of Loupe.',
  'plan.effect.idempotent.meaning': 'Idempotent: sending a document again changes nothing.',
  'plan.effect.potent.meaning': 'Potent: every repetition counts.',
  'plan.mutating': 'mutating',
  'plan.preserving': 'preserving',
  'plan.mutating.meaning': 'Mutating: documents that go on differ from those that came.',
  'plan.preserving.meaning': 'Preserving: documents go on unchanged, or not at all.',
  'plan.legend': 'Shapes and lines',
  'plan.step.scanner': '{count, plural, one {# found} other {# found}}',
  'plan.step.processor': '{count, plural, one {# processed} other {# processed}}',
  'plan.step.destination': '{count, plural, one {# accepted} other {# accepted}}',
  'plan.step.dropped': '{count, plural, one {# dropped} other {# dropped}}',
  'plan.step.failed': '{count, plural, one {# failed} other {# failed}}',
  'plan.step.now': '{count, plural, one {# delivered now} other {# delivered now}}',
  'plan.step.name': '{role} {name}, kind {kind}, {effect}, {changes}',
  'plan.step.chosen': 'Step {name}',
  'plan.step.choose': 'Choose a step in the drawing to see what it does.',
  'plan.kindOf': '{kind} · {role}',
  'plan.effectOf': '{effect}, {changes}',
  'plan.guarantee': 'Guarantee',
  'plan.guarantee.atMostOnce': 'At most once: sent once, and may be lost',
  'plan.guarantee.atLeastOnce': 'At least once: never lost, and may be sent twice',
  'plan.effect': 'Side effect',
  'plan.step': 'Step',
  'plan.role': 'Role',
  'plan.kind': 'Kind',
  'plan.step.statuses': 'Documents now',
  'plan.after': 'After',
  'plan.next': 'Goes on to',
  'plan.next.router': '{router}: {steps}',
  'plan.next.count': '{step} ({documents})',
  'plan.done': 'Done',
  'plan.dropped': 'Dropped',
  'plan.stepFailed': 'Failed',
  'plan.steps.table': 'Steps with their numbers in the run',

  'plan.statuses': 'Documents by status',
  'plan.statuses.text': 'Documents at each destination now, over all runs of this version.',
  'plan.scanner': 'Scanner',
  'plan.destination': 'Destination',
  'plan.destination.of': '{destination} (from {scanner})',
  'plan.total': 'Total',
  'plan.statuses.none': 'No document has reached the plan yet. Run it to begin.',
  'plan.cell': '{destination}, {status}: {count}',

  'plan.documents': 'Documents',
  'plan.documents.none': 'No documents in this status',
  'plan.documents.none.text': 'Choose another status or destination.',
  'plan.document': 'Document',
  'plan.document.select': 'Select {document}',
  'plan.document.changed': 'Since (UTC)',
  'plan.document.problem': 'Message',
  'plan.document.open': 'Open capture of {document}',
  'plan.document.open.why': 'The document is in no job and in no file of the archive.',
  'plan.status': 'Status',
  'plan.status.option': '{badge} ({state}): {count}',
  'plan.shown':
    '{isComplete, select, true {{shown, plural, one {# document} other {# documents}}} other {First {shown, plural, one {# document} other {# documents}}}}',
  'plan.retry': 'Retry',
  'plan.force': 'Force',
  'plan.drop': 'Drop',
  'plan.decide.verb': '{verb} {count}',
  'plan.decide.selected': '{verb} {count} selected…',
  'plan.decide.all': '{verb} all {count}…',
  'plan.decide.why.none': 'There are no documents in this status.',
  'plan.decide.why.state': 'Not possible for documents in this status.',
  'plan.decide.why.many': 'At most {max} documents can be selected for one action.',
  'plan.retry.title': '{count, plural, one {Retry # document?} other {Retry # documents?}}',
  'plan.retry.text': 'The documents are sent to {destination} again.',
  'plan.force.title': '{count, plural, one {Force # document?} other {Force # documents?}}',
  'plan.force.text': 'The documents are sent to {destination} again, also those that wait for a retry already.',
  'plan.drop.title': '{count, plural, one {Drop # document?} other {Drop # documents?}}',
  'plan.drop.text': 'The documents are not sent to {destination} any more, unless you retry them later or they change.',
  'plan.decided': '{count, plural, one {# document was changed.} other {# documents were changed.}}',
  'plan.decided.stopped': 'The plan is stopped: they are sent with its next run.',
  'plan.decide.refused': 'The documents could not be changed',

  'plan.find': 'Id of a document',
  'plan.find.hint': 'such as 1 https://example.org/',
  'plan.find.verb': 'Show history',
  'plan.find.why': 'Enter the id of a document first.',
  'plan.history': 'History of a document',
  'plan.history.table': 'History at all destinations',
  'plan.history.none': 'No history',
  'plan.history.none.text': 'This version of the plan knows no document with this id.',
  'plan.history.time': 'Time (UTC)',
  'plan.history.open': 'Open capture',

  'planEditor.new': 'New delivery plan',
  'planEditor.edit': 'Edit {name}',
  'planEditor.back': '← Back to {name}',
  'planEditor.toml': 'Plan as TOML',
  'planEditor.hint': 'Checked while you type. Ctrl+Enter saves.',
  'planEditor.upload': 'Replace by a file…',
  'planEditor.save': 'Save…',
  'planEditor.saveNew': 'Save',
  'planEditor.unchanged': 'Nothing was changed.',
  'planEditor.faulty': 'Correct the faults first.',
  'planEditor.checking': 'The text is being checked.',
  'planEditor.faults': '{count, plural, one {One fault} other {# faults}}',
  'planEditor.warnings': '{count, plural, one {One warning} other {# warnings}}',
  'planEditor.good': 'The plan has no faults.',
  'planEditor.drawing': 'Drawing',
  'planEditor.drawing.old': 'The drawing shows the last text without faults.',
  'planEditor.drawing.none': 'The plan is drawn when its text has no faults.',
  'planEditor.runs': 'The plan {name} is running: stop it first.',
  'planEditor.dialog': 'Save version {version} of {name}',
  'planEditor.dialog.verb': 'Save version {version}',
  'planEditor.migration': 'What the new version takes over from version {version}',
  'planEditor.migration.keep': 'Keep all statuses',
  'planEditor.migration.keep.meaning': 'Only new destinations get all documents.',
  'planEditor.migration.refeed': 'Begin again',
  'planEditor.migration.refeed.meaning': 'Every document is processed and sent again.',
  'planEditor.migration.some': 'Keep documents in some statuses',
  'planEditor.migration.some.meaning': 'All other documents are processed and sent again.',
  'planEditor.migration.statuses': 'Statuses to keep',
  'planEditor.migration.needed': 'Choose at least one status.',
  'planEditor.saved': 'Version {version} of {name} was saved.',
  'planEditor.template': `# Saving a plan under the same name again adds a version.
name = "my-plan"

# A scanner finds documents: here, the newest capture of each URL of a job.
# Add intervalSeconds = 3600 to scan every hour; without it, the plan scans once and ends.
[[steps]]
name = "scan"
kind = "captures"
[steps.settings]
jobs = [{job}]

# Processors add fields to documents, or drop some of them.
[[steps]]
name = "titles"
kind = "title"
after = ["scan"]

[[steps]]
name = "texts"
kind = "text"
after = ["titles"]

# A destination takes documents: solr, openSearch, webhook or folder.
# Several destinations after one step need a router there.
[[steps]]
name = "search"
kind = "openSearch"
after = ["texts"]
[steps.settings]
url = "http://localhost:9200"
index = "pages"
`,
} as const
