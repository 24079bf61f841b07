// Proves MYSUB 16 17
import catalogue from '@potluck/supabase/provider-catalogue.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { NAME_COLORS } from './name-color.ts'
import { contrast, providerTheme } from './provider-theme.ts'

/** Providers without a brand whose colours cover all of NAME_COLORS. */
const NAMES = [...'ABCDEFGHIJKL'].map((letter) => `${letter} Kettle Club`)

describe('a provider theme', () => {
  it.each([
    ['Netflix', '#E50914'],
    ['Spotify', '#1DB954'],
    ['Apple', '#1D1D1F'],
    ['Disney', '#113CCF'],
    ['HBO', '#5822B4'],
    ['Amazon', '#00A8E1'],
    ['YouTube', '#FF0000'],
  ])('has the colour of the %s family', (family, color) => {
    for (const provider of [family, `${family} Something`]) {
      expect(providerTheme(provider).color).toBe(color)
      expect(providerTheme(provider).vars).toMatchObject({ '--provider-color': color })
    }
  })

  it.each([
    ['TIDAL', '#FFFFFF'],
    ['YouTube Premium', '#FFFFFF'],
    ['DAZN', '#000000'],
    ['Spotify', '#000000'],
    ['Disney+', '#FFFFFF'],
    ['Prime Video', '#000000'],
  ])('draws %s in %s, which can be told from its brand colour', (provider, onColor) => {
    expect(providerTheme(provider).onColor).toBe(onColor)
  })

  // The tile is the same in both colour schemes.
  it.each([...catalogue.map(({ name }) => name), ...NAMES])('can be seen of %s, and read', (provider) => {
    const { color, onColor, mark, vars } = providerTheme(provider)
    const { '--provider-shade': shade } = vars as Record<string, string>
    expect(contrast(onColor, color)).toBeGreaterThanOrEqual(mark ? 3 : 4.5)
    // The shade of a monogram contrasts with its letters.
    expect(contrast(onColor, shade ?? onColor)).toBe(21)
  })

  it('gives an unknown provider one colour, always the same', () => {
    expect(providerTheme('Kettle Club').color).toMatch(/^#[0-9A-F]{6}$/)
    expect(providerTheme('Kettle Club')).toEqual(providerTheme('Kettle Club'))
    expect(new Set(NAMES.map((name) => providerTheme(name).color))).toEqual(new Set(NAME_COLORS))
  })
})
