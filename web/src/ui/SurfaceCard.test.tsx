import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { SurfaceCard } from './SurfaceCard.tsx'

const styles = readFileSync(resolve(import.meta.dirname, 'SurfaceCard.module.css'), 'utf8')
const brand = { logo: null, vars: { '--provider-color': '#E50914' } as Record<string, string> }

describe('a card', () => {
  it.each(['default', 'glass', 'gradient', 'provider'] as const)('has the look %s', (look) => {
    render(
      <MantineProvider>
        <SurfaceCard component="article" aria-label="Plan" look={look} brand={brand}>
          A plan
        </SurfaceCard>
      </MantineProvider>,
    )
    const card = screen.getByRole('article', { name: 'Plan' })
    expect(card.dataset.look).toBe(look)
    expect(card.style.getPropertyValue('--provider-color')).toBe('#E50914')
  })

  it.each([
    ['glass', /backdrop-filter: blur/],
    ['gradient', /background-image: linear-gradient\([^;]*clay/],
    ['provider', /background-image: linear-gradient\([^;]*var\(--tint\)/],
  ])('looks different as %s', (look, paint) => {
    const [, rule = ''] = styles.split(`&[data-look="${look}"] {`)
    expect(rule.split('&[data-')[0]).toMatch(paint)
    expect(styles).toContain('--tint: var(--provider-color')
  })
})
