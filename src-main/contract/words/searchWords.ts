/** Messages of the search in the text index. */
export const searchWords = {
  'search.query.empty': 'Type at least one word to search for.',
  'search.query.onlyNot': 'A query needs at least one word that is to be found, not only words that are not.',
  'search.query.or': 'OR stands between two words: cats OR dogs.',
  'search.query.orField':
    'OR stands between two words, and {field}: is a field. Repeat the field to search in several.',
  'search.query.quote': 'A quotation mark is not closed. Everything after it was taken as one phrase.',
  'search.query.field': 'There is no field {name}:, it was searched for as words. Did you mean {meant}:?',
  'search.query.noValue': 'The field {field}: needs a value.',
  'search.query.date':
    'The field {field}: needs a year, a month or a day, such as 2024, 2024-05 or 2024-05-17, not {value}.',
  'search.query.status': 'The field status: needs an HTTP status such as 404 or 4xx, not {value}.',
  'search.query.job': 'The field job: needs the number of a job, not {value}.',
  'search.query.long': 'A query has at most {charactersMax, number} characters.',
  'search.query.terms': 'A query has at most {termsMax, number} words and phrases.',
  'search.slow': 'The search took too long and was stopped. Use more words, or fewer that are so frequent.',
} as const
