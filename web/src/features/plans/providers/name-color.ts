/** Calm colours for providers without a brand colour. White text is readable on each of them. */
export const NAME_COLORS = ['#7A5C3E', '#3F6B6B', '#6B4E71', '#4F6B3A', '#8A4B4B', '#46608A'] as const

/**
 * Derives a colour from the name, always the same one. In its own file, since the landing page does not load the
 * brands.
 */
export function colorOf(name: string): string {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return NAME_COLORS[sum % NAME_COLORS.length] ?? NAME_COLORS[0]
}
