/** Batch jobs: what the built-in ones write, why one is refused or failed, and lines of the error files. */
export const batchWords = {
  'batch.subject': '{name}, {files, plural, one {# file} other {# files}}',
  'batch.builtIn.checksums': 'the SHA-256 of every file, as sha256sum prints it; a file with a wrong checksum fails',
  'batch.builtIn.file-list': 'name, bytes, job, kind and replica of every file, separated by tabs',
  'batch.builtIn.cdx': 'the CDXJ lines of every file, in the order of its records',
  'batch.builtIn.record-counts': 'the number of records of each type, per file and in total',

  'batch.module.unknown': '"{module}" is neither a file that ends with .mjs nor a built-in batch job: {known}.',
  'batch.replica.absent': 'There is no replica {replica}: the archive has {known}.',
  'batch.replica.checksums': 'Replica {replica} holds checksums and no files: choose another one of {known}.',
  'batch.files.tooMany': 'More than {countMax, number} files are chosen: choose fewer by name or job.',
  'batch.files.none': 'No file name matches {pattern}, so nothing was run.',
  'batch.full':
    '{count, plural, one {# batch job is} other {# batch jobs are}} running already: wait until one has ended, or stop one.',

  'batch.failed.load': 'The module cannot be loaded: {problem}.',
  'batch.failed.start': 'The start function of the module failed: {problem}.',
  'batch.failed.finish': 'The finish function of the module failed: {problem}.',
  'batch.failed.files': 'The run was ended because {failed, plural, one {# file} other {# files}} failed.',
  'batch.failed.time': 'The run took longer than {seconds} s and was ended.',
  'batch.failed.output': 'The output cannot be written. {problem}',
  'batch.failed.lost':
    'The thread of the module ended, and the data that it had collected is lost, so its finish function was not called.',
  'batch.failed.lost.at':
    'The thread of the module ended at {file}, and the data that it had collected is lost, so its finish function was not called.',
  'batch.file.time': 'It took longer than {seconds} s and was ended.',
  'batch.file.memory': 'It took more memory than a batch job may have, and its thread was ended.',
  'batch.file.thread': 'It ended its thread: {problem}',
  'batch.file.finding': 'At {offset}: {finding}',
  'batch.file.moreRemarks': 'Further remarks are left out.',
  'batch.moreFiles': 'Messages about further files are left out.',
  'batch.file.noCopy': 'No replica has a good copy of this file: run a check.',
} as const
