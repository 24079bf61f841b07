import type { CSSProperties } from 'react'
import { PROVIDER_MARKS, type ProviderMark } from './provider-marks.ts'

export interface ProviderTheme extends ProviderMark {
  /** White where it can be told from the brand colour, else black: 3:1 for a mark, 4.5:1 for initials. */
  onColor: string
  /** Sets `--provider-color` and `--provider-on-color` for the element and everything in it. */
  vars: CSSProperties
}

/** A brand's whole family wears its colour, whatever the product is called. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^netflix\b/i, 'Netflix'],
  [/^spotify\b/i, 'Spotify'],
  [/^apple\b/i, 'Apple One'],
  [/^disney\b/i, 'Disney+'],
  [/^hbo\b/i, 'HBO Max'],
  [/^amazon\b/i, 'Prime Video'],
  [/^youtube\b/i, 'YouTube Premium'],
]

/** Calm colours for providers nobody has drawn yet; the name picks one, so it stays the same everywhere. */
const UNKNOWN_COLORS = ['#7A5C3E', '#3F6B6B', '#6B4E71', '#4F6B3A', '#8A4B4B', '#46608A'] as const

/** The colours and the mark of a provider, by the name a plan row carries. */
export function providerTheme(provider: string): ProviderTheme {
  const mark = PROVIDER_MARKS[provider] ?? familyMark(provider) ?? { color: colorOf(provider), domain: '' }
  const onColor = readableOn(mark.color, mark.mark ? 3 : 4.5)
  const vars = { '--provider-color': mark.color, '--provider-on-color': onColor } as CSSProperties
  return { ...mark, onColor, vars }
}

function familyMark(provider: string): ProviderMark | undefined {
  const family = FAMILIES.find(([pattern]) => pattern.test(provider))
  return family && PROVIDER_MARKS[family[1]]
}

function colorOf(name: string): string {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return UNKNOWN_COLORS[sum % UNKNOWN_COLORS.length] ?? UNKNOWN_COLORS[0]
}

/** Contrast as in WCAG 2. Black is always the better one where white falls short of 4.5:1. */
function readableOn(color: string, ratio: number): string {
  return 1.05 / (luminance(color) + 0.05) >= ratio ? '#FFFFFF' : '#000000'
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
