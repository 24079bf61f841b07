/** Cases in plain text, one a line, their fields between bars. */
export const cases = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ *\|(?: +|$)/))
