// Random input: the same in every run, unless another seed is asked for, and as much of it as fits into the suite.
// `FUZZ_SEED=7 FUZZ_RUNS=5000 npx vitest run fuzz` looks further.
import fc from 'fast-check'

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_123)
const RUNS = process.env.FUZZ_RUNS === undefined ? undefined : Number(process.env.FUZZ_RUNS)

/** What fast-check is told: `runs` is for the suite. */
export const fuzz = (runs: number) => ({ seed: SEED, numRuns: RUNS ?? runs })

/** How long a property may take, for whoever asks for thousands of runs. */
export const LONG = { timeout: 60_000 + (RUNS ?? 0) * 200 }

/** Whoever is not answered by then never will be. */
export const HANGS_MS = 30_000

const NASTY = [
  ...[
    '',
    ' ',
    '"',
    "'",
    '\\',
    ';',
    '--',
    '/*',
    '$1',
    '::',
    '%',
    '%25',
    '+',
    '&',
    '#',
    '*',
    '(',
    ')',
    ',',
    '.',
  ],
  ...['{', '}', '[', ']', '{}', '[]', '()', '("', '{"', 'null', 'NaN', '-0', '1e999', '9223372036854775808'],
  ...[
    '-1',
    '2.5',
    'true',
    'infinity',
    '0001-01-01 BC',
    '99999-12-31',
    "'; select pg_sleep(9); --",
    '__proto__',
  ],
  ...[
    'constructor',
    'toString',
    '\0',
    'a\0b',
    '\n',
    '\r\n',
    '\u2028',
    '\u202e',
    '\ufeff',
    'ａ',
    '😀',
    'e\u0301',
  ],
]
const ALPHABET = `"'\\;-/*$:%+&#(),.{}[]<>=!~|@? \t\0aZ9_é😀`

/** Text somebody means harm by, or none, or never thought about. */
export const nasty = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 64, max: 4_000 }).map((length) => 'x'.repeat(length)) },
)

/** JSON with such texts in it, down to some depth. */
export const nastyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -0, 1, 1.5, -1, 1e308, 2 ** 53),
    nasty,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(nasty, tie('value'), { maxKeys: 3 }),
  ),
})).value
