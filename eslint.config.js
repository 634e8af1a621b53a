/** Rules for what a type checker does not see and a reader would stumble over. Who imports whom is not here but in
 *  src-main/floors.ts; how a line is broken is prettier's. */
import js from '@eslint/js'
import globals from 'globals'
import ts from 'typescript-eslint'

/** Only `world` knows the time and chance: that is what lets the simulation play a failure again. */
const worldOnly = [
  { object: 'Date', property: 'now', message: 'Ask world.clock.now().' },
  { object: 'Math', property: 'random', message: 'Ask world.chance.' },
]

const typedPatternIsNoRegExp = {
  selector:
    ":matches(NewExpression, CallExpression)[callee.name='RegExp'][arguments.0.type!=/^(Literal|TemplateLiteral)$/]",
  message: 'A pattern that a person typed is matched by src-main/patterns: a RegExp may never end.',
}

/** A clock may be set at any time, in either direction. What is asked of it is a moment, which others can be compared with. */
const momentsAreNotSubtracted = [
  "BinaryExpression[operator='-'] > CallExpression[callee.property.name='now']",
  "AssignmentExpression[operator='-='] > CallExpression[callee.property.name='now']",
].map((selector) => ({
  selector,
  message:
    'A duration is not the difference of two moments of the wall clock: use world/stopwatch.ts or clock.elapsed().',
}))

export default ts.config(
  { ignores: ['out/', 'dist/', 'node_modules/', 'test-results/', 'playwright-report/', '.cache/', 'resources/'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [ts.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: [
          'src-main/tsconfig.json',
          'src-renderer/tsconfig.json',
          'src-renderer/tsconfig.tests.json',
          'e2e/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      'no-empty': ['error', { allowEmptyCatch: false }],
      eqeqeq: 'error',
      // `async` alone is a promise too: what the function throws becomes a rejection, as its callers expect.
      '@typescript-eslint/require-await': 'off',
      // A signal's reason and a thread's error are passed on as they came.
      '@typescript-eslint/prefer-promise-reject-errors': [
        'error',
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      // It does not know that time passes at an await: a signal may well be aborted by then.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // Addresses and digests are spread, not emoji.
      '@typescript-eslint/no-misused-spread': 'off',
      // `return refuse(response)` ends a function in one line; the type says that nothing comes back.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // Our interfaces are records of functions that hold no `this`; taking them apart is the way they are used.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true, allowNullish: true, allow: ['URL'] },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // A generic that only says what comes out of a boundary is how `world.threads.run` and `statement` speak.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // `void promise` is the sign for "on purpose"; an async callback where nothing waits is what this finds.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
    },
  },
  {
    files: ['src-main/**/*.ts', 'src-renderer/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': ['error', typedPatternIsNoRegExp],
    },
  },
  {
    files: ['src-main/**/*.ts'],
    ignores: ['src-main/world/**', 'src-main/shells/**', '**/*.test.ts'],
    rules: {
      'no-restricted-properties': ['error', ...worldOnly],
      // The last list for a file is the only one, so it names the one above too.
      'no-restricted-syntax': ['error', typedPatternIsNoRegExp, ...momentsAreNotSubtracted],
    },
  },
  {
    // A test may be short where the product may not: what it breaks, it notices.
    files: ['**/*.test.{ts,tsx}', 'e2e/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  { files: ['**/*.{js,cjs,mjs}'], languageOptions: { globals: globals.node } },
)
