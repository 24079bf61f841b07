/** Splits a text into test cases: one per line, with fields separated by bars. */
export const cases = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ *\|(?: +|$)/))
