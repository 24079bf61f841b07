// Random input. Every run uses the same input unless a seed is given, and few enough cases for the suite. For more
// cases: `FUZZ_SEED=7 FUZZ_RUNS=5000 npx vitest run fuzz`.
import fc, { type Arbitrary } from 'fast-check'

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_123)
const RUNS = process.env.FUZZ_RUNS === undefined ? undefined : Number(process.env.FUZZ_RUNS)

/** Returns parameters for fast-check; `runs` is the number of cases unless FUZZ_RUNS is set. */
export const fuzz = (runs: number) => ({ seed: SEED, numRuns: RUNS ?? runs })

/** The timeout of a property, long enough for thousands of runs. */
export const LONG = { timeout: 60_000 + (RUNS ?? 0) * 200 }

/** Time in ms after which a request without a response counts as hanging. */
export const HANGS_MS = 30_000

const NASTY = [
  ...['', ' ', '0001-01-01 BC', "'; select pg_sleep(9); --"],
  ...['\0', 'a\0b', '\n', '\r\n', '\u2028', '\u202e', '\ufeff', 'e\u0301'],
  ...String.raw`" ' \ ; -- /* $1 :: % %25 + & # * ( ) , . { } [ ] {} [] () (" {" null NaN -0 1e999 9223372036854775808
    -1 2.5 true infinity 99999-12-31 __proto__ constructor toString ａ 😀`.split(/\s+/),
]
const ALPHABET = `"'\\;-/*$:%+&#(),.{}[]<>=!~|@? \t\0aZ9_é😀`

/** Picks one of these arbitraries, by weight. */
export const mix = <T>(...choices: [weight: number, arbitrary: Arbitrary<T>][]): Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** Malicious, harmless and unusual text. */
export const nasty = mix(
  [4, fc.constantFrom(...NASTY)],
  [2, fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 12 })],
  [1, fc.string({ unit: 'binary', maxLength: 12 })],
  [1, fc.integer({ min: 64, max: 4_000 }).map((length) => 'x'.repeat(length))],
)

/** JSON that contains texts of `nasty`, with nested lists and objects. */
export const nastyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -0, 1, 1.5, -1, 1e308, 2 ** 53),
    nasty,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(nasty, tie('value'), { maxKeys: 3 }),
  ),
})).value
