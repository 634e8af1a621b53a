/** Reasons why a call was refused: one sentence each, with what failed, why, and what to do. */
export const faultWords = {
  'job.absent': 'There is no job {job}.',
  'file.absent': 'The archive has no file named {name}.',
} as const
