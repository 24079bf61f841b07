import type { CSSProperties } from 'react'
import { colorOf } from './name-color.ts'
import { BRANDS } from './provider-marks.ts'

interface ProviderMark {
  /** Brand colour, #RRGGBB. */
  color: string
  /** Look-up key at the logo service. */
  domain: string
  /** Name of the mark in provider-marks.svg; absent if the icon set has none, in which case a monogram is drawn. */
  mark?: string | undefined
  /** The share of the tile that the mark fills, so that wide, low marks look as large as the others. */
  part: number
}

export interface ProviderTheme extends ProviderMark {
  /** The provider's name, even if a plan's name was given. */
  name: string
  /** White if it contrasts enough with the brand colour (3:1 for a mark, 4.5:1 for initials), otherwise black. */
  onColor: string
  /** Sets `--provider-color`, `--provider-on-color` and `--provider-shade` on an element. */
  vars: CSSProperties
}

/** All products of a brand share its colour. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^netflix\b/i, 'Netflix'],
  [/^spotify\b/i, 'Spotify'],
  [/^apple\b/i, 'Apple One'],
  [/^disney\b/i, 'Disney+'],
  [/^hbo\b/i, 'HBO Max'],
  [/^amazon\b/i, 'Prime Video'],
  [/^youtube\b/i, 'YouTube Premium'],
]

/** The colours and the mark of a provider. */
export function providerTheme(provider: string): ProviderTheme {
  const name = provider in BRANDS ? provider : (providerOfPlan(provider) ?? provider)
  const mark = markOf(name) ?? familyMark(name) ?? { color: colorOf(name), domain: '', part: 1 }
  const onColor = readableOn(mark.color, mark.mark ? 3 : 4.5)
  const vars = {
    '--provider-color': mark.color,
    '--provider-on-color': onColor,
    '--provider-shade': onColor === '#FFFFFF' ? '#000000' : '#FFFFFF',
  } as CSSProperties
  return { ...mark, name, onColor, vars }
}

/** Finds the provider of a plan whose name begins with the provider's name, such as "Netflix Premium". */
function providerOfPlan(plan: string): string | undefined {
  const known = Object.keys(BRANDS).filter((provider) => plan.startsWith(`${provider} `))
  return known.sort((one, other) => other.length - one.length)[0]
}

function markOf(provider: string): ProviderMark | undefined {
  const [color, domain = '', mark, part = 0.58] = BRANDS[provider] ?? []
  return color ? { color, domain, mark, part } : undefined
}

function familyMark(provider: string): ProviderMark | undefined {
  const family = FAMILIES.find(([pattern]) => pattern.test(provider))
  return family && markOf(family[1])
}

/** Returns white or black. Where white has less contrast than 4.5:1, black always has more. */
function readableOn(color: string, ratio: number): string {
  return contrast('#FFFFFF', color) >= ratio ? '#FFFFFF' : '#000000'
}

/** The WCAG 2 contrast ratio of two colours in #RRGGBB. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
